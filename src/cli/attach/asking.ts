/**
 * Which sequences ask a terminal something, so that it answers as if the answer had been typed. Pure: strings
 * of Latin-1 characters, one for each byte, without what begins and ends them.
 */

const ASKING_CSI: readonly RegExp[] = [
  /^[>=]?[\d:;]*c$/, // who are you (DA)
  /^\??[\d:;]*n$/, // status, cursor position (DSR)
  /^\??[\d:;]*\$p$/, // is this mode set (DECRQM)
  /^>[\d:;]*q$/, // name and version (XTVERSION)
  /^\?[\d:;]*u$/, // keyboard flags (kitty)
  /^\?[\d:;]*m$/, // key modifier options (XTQMODKEYS)
  /^(?:1[1345689]|2[01])(?:;[\d:;]*)?t$/, // reports about the window
  /^\?\d*;[14](?:;[\d:;]*)?S$/, // limits of graphics (XTSMGRAPHICS)
  /^[\d:;]*\$w$/, // presentation state (DECRQPSR)
  /^[\d:;]*\*y$/, // checksum of a rectangle (DECRQCRA)
  /^[01]?x$/, // terminal parameters (DECREQTPARM)
];

/** Colours and fonts, which are set or asked for by the same numbers; the clipboard. */
const ASKING_OSC: readonly RegExp[] = [/^(?:4|5|1\d|50)(?:;.*)?;\?(?:;|$)/, /^21;(?:.*;)?[^;=]*=\?/, /^52;[^;]*;\?/];
/** What each of them begins with, and nothing else does. */
const ASKING_OSC_SO_FAR = /^(?:(?:4|5|1\d|50|21)(?:;.*)?|1|2|52(?:;[^;]*(?:;\??)?)?)?$/;

/** Settings (DECRQSS) and capabilities (XTGETTCAP). */
const ASKING_DCS = /^[\d:;]*[$+]q/;
const ASKING_DCS_SO_FAR = /^[\d:;]*[$+]?$/;

export type StringKind = 'osc' | 'dcs';

/** Whether this control sequence, from behind its introducer to its final byte, is a question. */
export function isAskingCsi(body: string): boolean {
  return ASKING_CSI.some((question) => question.test(body));
}

/** Whether this control string is a question: a whole one, or of a DCS as much as shows it. */
export function isAskingString(kind: StringKind, body: string): boolean {
  return kind === 'dcs' ? ASKING_DCS.test(body) : ASKING_OSC.some((question) => question.test(body));
}

/** Whether what has come of a control string can be the begin of a question. */
export function mayBecomeAsking(kind: StringKind, body: string): boolean {
  return kind === 'dcs' ? ASKING_DCS_SO_FAR.test(body) : ASKING_OSC_SO_FAR.test(body);
}
