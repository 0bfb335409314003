/**
 * Recognises escape sequences that query the terminal, which replies as if the reply had been typed. Pure: takes
 * sequences as Latin-1 strings, one character per byte, without introducer and terminator.
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

/** Queries of colours and fonts, whose numbers are the same for setting and querying, and of the clipboard. */
const OSC_QUERIES: readonly RegExp[] = [/^(?:4|5|1\d|50)(?:;.*)?;\?(?:;|$)/, /^21;(?:.*;)?[^;=]*=\?/, /^52;[^;]*;\?/];
/** Matches every proper prefix of a string that `OSC_QUERIES` matches, and nothing else. */
const OSC_QUERY_PREFIX = /^(?:(?:4|5|1\d|50|21)(?:;.*)?|1|2|52(?:;[^;]*(?:;\??)?)?)?$/;

/** Queries of settings (DECRQSS) and capabilities (XTGETTCAP). */
const DCS_QUERY = /^[\d:;]*[$+]q/;
const DCS_QUERY_PREFIX = /^[\d:;]*[$+]?$/;

export type ControlStringKind = 'osc' | 'dcs';

/** Returns whether this control sequence (from after the introducer up to and including the final byte) is a query. */
export function isCsiQuery(body: string): boolean {
  return CSI_QUERIES.some((question) => question.test(body));
}

/**
 * Returns whether a control string is a query. An OSC must be complete; of a DCS, the distinguishing prefix is enough.
 */
export function isStringQuery(kind: ControlStringKind, body: string): boolean {
  return kind === 'dcs' ? DCS_QUERY.test(body) : OSC_QUERIES.some((question) => question.test(body));
}

/** Returns whether the part of a control string that has arrived so far can be the start of a query. */
export function mayBecomeQuery(kind: ControlStringKind, body: string): boolean {
  return kind === 'dcs' ? DCS_QUERY_PREFIX.test(body) : OSC_QUERY_PREFIX.test(body);
}
