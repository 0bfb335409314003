/** Detects changes in a directory, even if it is removed and created again. */
import { watch } from 'node:fs';
import { basename } from 'node:path';

/**
 * How often to check for changes if the system cannot watch the directory, because it has no watches left or the
 * directory cannot be created.
 */
const LOOK_EVERY_MS = 1000;

/**
 * @param prepare - Creates the directory if it is missing, and returns its path.
 * @param onChange - Called shortly after names in the directory have changed, and sometimes without a change.
 * @returns A function that stops watching.
 */
export function watchDirectory(prepare: () => string, onChange: () => void): () => void {
  let stop = (): void => {};
  const begin = (): void => {
    stop();
    stop = follow(prepare, (isReplaced) => {
      if (isReplaced) begin();
      onChange();
    });
  };
  begin();
  return () => stop();
}

/** @param onChange - Called on a change; the argument says whether the directory itself has been removed or renamed. */
function follow(prepare: () => string, onChange: (isReplaced: boolean) => void): () => void {
  const look = (): (() => void) => {
    const timer = setInterval(() => onChange(false), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  };
  try {
    const path = prepare();
    const watcher = watch(path, (_event, name) => onChange(name === basename(path)));
    watcher.on('error', () => onChange(true));
    return () => watcher.close();
  } catch {
    return look();
  }
}
