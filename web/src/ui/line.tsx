/** Renders a line of output with its colours. */
import { runsOf } from './colours.js';

export function Line({ text }: { text: string }) {
  return (
    <>
      {runsOf(text).map(({ text: part, classes, colour }) =>
        classes === '' && colour === '' ? (
          part
        ) : (
          <span class={classes} {...(colour === '' ? {} : { style: { color: colour } })}>
            {part}
          </span>
        ),
      )}
    </>
  );
}
