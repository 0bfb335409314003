/** Renders a line of output with its colours and with the matches of a search marked. */
import { markedRuns, type MarkedRun } from './matching.js';

export interface MarkedLineProps {
  readonly text: string;
  readonly expression: RegExp;
  readonly hasColours?: boolean;
  /** Whether this is the match that was gone to. */
  readonly isCurrent?: boolean;
}

export function MarkedLine({ text, expression, hasColours = true, isCurrent = false }: MarkedLineProps) {
  return (
    <>
      {markedRuns(text, expression).map((run, index) =>
        run.isMatch ? (
          <mark key={index} class={isCurrent ? 'now' : ''}>
            {run.text}
          </mark>
        ) : (
          <Piece key={index} run={run} hasColours={hasColours} />
        ),
      )}
    </>
  );
}

function Piece({ run: { text, classes, colour }, hasColours }: { run: MarkedRun; hasColours: boolean }) {
  if (!hasColours || (classes === '' && colour === '')) return <>{text}</>;
  return (
    <span class={classes} {...(colour === '' ? {} : { style: { color: colour } })}>
      {text}
    </span>
  );
}
