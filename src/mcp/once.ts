/** Returns a function that calls `run` the first time it is called, and does nothing after that. */
export function once(run: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) run();
    isOver = true;
  };
}
