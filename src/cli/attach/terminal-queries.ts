/**
 * Recognizes escape sequences that query the terminal. The terminal sends its reply as if it had been typed. Pure:
 * takes Latin-1 strings, one character per byte, without introducer and terminator.
 */

const CSI_QUERIES: readonly RegExp[] = [
  /^[>=]?[\d:;]*c$/, // device attributes (DA)
  /^\??[\d:;]*n$/, // status, cursor position (DSR)
  /^\??[\d:;]*\$p$/, // mode state (DECRQM)
  /^>[\d:;]*q$/, // name and version (XTVERSION)
  /^\?[\d:;]*u$/, // keyboard flags (kitty)
  /^\?[\d:;]*m$/, // key modifier options (XTQMODKEYS)
  /^(?:1[1345689]|2[01])(?:;[\d:;]*)?t$/, // window reports
  /^\?\d*;[14](?:;[\d:;]*)?S$/, // graphics limits (XTSMGRAPHICS)
  /^[\d:;]*\$w$/, // presentation state (DECRQPSR)
  /^[\d:;]*\*y$/, // rectangle checksum (DECRQCRA)
  /^[01]?x$/, // terminal parameters (DECREQTPARM)
];

/** Colours and fonts, which use the same number for setting and querying, and the clipboard. */
const OSC_QUERIES: readonly RegExp[] = [/^(?:4|5|1\d|50)(?:;.*)?;\?(?:;|$)/, /^21;(?:.*;)?[^;=]*=\?/, /^52;[^;]*;\?/];
/** Matches every proper prefix of the sequences above, and nothing else. */
const OSC_QUERY_PREFIX = /^(?:(?:4|5|1\d|50|21)(?:;.*)?|1|2|52(?:;[^;]*(?:;\??)?)?)?$/;

/** Settings (DECRQSS) and capabilities (XTGETTCAP). */
const DCS_QUERY = /^[\d:;]*[$+]q/;
const DCS_QUERY_PREFIX = /^[\d:;]*[$+]?$/;

export type ControlStringKind = 'osc' | 'dcs';

/** Returns whether this control sequence (from after the introducer up to and including the final byte) is a query. */
export function isCsiQuery(body: string): boolean {
  return CSI_QUERIES.some((question) => question.test(body));
}

/**
 * Returns whether this control string is a query. An OSC must be complete; a DCS only needs its distinguishing prefix.
 */
export function isStringQuery(kind: ControlStringKind, body: string): boolean {
  return kind === 'dcs' ? DCS_QUERY.test(body) : OSC_QUERIES.some((question) => question.test(body));
}

/** Returns whether the part of a control string received so far can be the start of a query. */
export function mayBecomeQuery(kind: ControlStringKind, body: string): boolean {
  return kind === 'dcs' ? DCS_QUERY_PREFIX.test(body) : OSC_QUERY_PREFIX.test(body);
}
