/** Highlights displayed text with colours if they are enabled. Pure. */

type Style = (text: string) => string;

export interface TextStyles {
  readonly hasColour: boolean;
  readonly bold: Style;
  readonly dim: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly hint: Style;
}

const RESET = '\x1b[0m';

/**
 * Returns the styles.
 *
 * @param hasColour - Whether a person sees the output and has not disabled colour.
 */
export function textStyles(hasColour: boolean): TextStyles {
  const style =
    (code: number): Style =>
    (text) =>
      hasColour && text !== '' ? `\x1b[${code}m${text}${RESET}` : text;
  return { hasColour, bold: style(1), dim: style(2), good: style(32), bad: style(31), hint: style(36) };
}
