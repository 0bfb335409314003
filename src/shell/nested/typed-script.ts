/**
 * Builds what is typed to a shell or REPL that cannot share files with us, typically on another machine: a line that
 * makes it request code, and the code itself in lines that no terminal truncates. Pure; does not depend on terminals or
 * files.
 *
 * The remote shell requests each line with a mark, so that a line is typed only when the shell is reading; the last
 * line is a dot. A shell needs only `printf` for this; a REPL has base64 built in. The remote program may request a line
 * and then exit, and the line then reaches the shell around it: each line is therefore one word that names no command.
 */
import { MARK_PREFIX } from '../marker.js';
import { isRepl } from '../shells.js';
import type { TrackedKind } from '../shells.js';

/**
 * The kind of program that the first line is for: any POSIX-like shell, which then reports its exact kind, or a named
 * REPL.
 */
export type OpeningKind = 'sh' | 'python' | 'node';

/** Below the maximum line length of any terminal: 1024 on macOS, 4096 on Linux. */
const MAX_LINE_BYTES = 700;
const LAST_LINE = '.';
const PLAIN = /[A-Za-z0-9]/;
/** Length of `\0ooo`. */
const MAX_ESCAPE_BYTES = 5;

/** The number that a remote program sends to request the integration; commands begin at 1. */
export const SCRIPT_NUMBER = 0;

/** Returns the line that makes a remote program request the integration and load it, Enter included. */
export function openingLine(opening: OpeningKind, nonce: string): string {
  if (opening === 'python') return `${pythonOpening(nonce)}\r`;
  if (opening === 'node') return `${nodeOpening(nonce)}\r`;
  return `${shellOpening(nonce)}\r`;
}

/** Maps the name that the requesting shell reports to its kind. */
export function kindOfRequester(program: string): TrackedKind {
  return program === 'bash' || program === 'zsh' || program === 'python' || program === 'node' ? program : 'sh';
}

/** Returns the lines that carry code, Enter included; each is typed when it is requested. */
export function typedLines(kind: TrackedKind, text: string): string[] {
  const lines = isRepl(kind) ? linesForRepl(text) : linesForShell(text);
  // A line feed works whether or not the terminal translates Enter into one.
  return [...lines, LAST_LINE].map((line) => `${line}\n`);
}

/** Returns a script without comments and blank lines. */
export function withoutComments(script: string): string {
  const lines = script.split('\n').filter((line) => !/^\s*(?:#|\/\/|$)/.test(line));
  return `${lines.join('\n')}\n`;
}

/** Encodes in base64. Decoders ignore the comma that each line begins with. */
function linesForRepl(text: string): string[] {
  const carried = Buffer.from(text, 'utf8').toString('base64');
  return (carried.match(new RegExp(`.{1,${MAX_LINE_BYTES - 1}}`, 'g')) ?? []).map((line) => `,${line}`);
}

/** Encodes for `printf %b`: letters and digits as they are, except the first of a line, and everything else as octal. */
function linesForShell(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const char of Buffer.from(text, 'utf8').toString('latin1')) {
    line += line !== '' && PLAIN.test(char) ? char : `\\0${char.charCodeAt(0).toString(8).padStart(3, '0')}`;
    if (line.length <= MAX_LINE_BYTES - MAX_ESCAPE_BYTES) continue;
    lines.push(line);
    line = '';
  }
  return line === '' ? lines : [...lines, line];
}

/** Returns the mark that requests a line, for a language that writes ESC and BEL as octal escapes. */
function asking(nonce: string, rest: string): string {
  return `${MARK_PREFIX.replace('\x1b', '\\033')}${nonce};N;${SCRIPT_NUMBER};${rest}\\007`;
}

function shellOpening(nonce: string): string {
  const ask = `printf '${asking(nonce, '%s;%s')}' $$ "\${ZSH_VERSION:+zsh}\${BASH_VERSION:+bash}" >/dev/tty`;
  const take = 'case $__tenacitty_line in .)break;;esac;__tenacitty_text=$__tenacitty_text$__tenacitty_line';
  return (
    ` __tenacitty_text=;while ${ask}&&IFS= read -r __tenacitty_line;do ${take};done;` +
    'eval "$(printf %b "$__tenacitty_text")"'
  );
}

function pythonOpening(nonce: string): string {
  const ask = `t.write(b'${asking(nonce, '%d;python')}'%os.getpid())`;
  const lines = [
    'import base64,os',
    "t=open('/dev/tty','r+b',0)",
    "q=l=b''",
    "while l!=b'.':",
    ' q+=l',
    ` ${ask}`,
    ' l=t.readline().strip()',
    't.close()',
    "exec(base64.b64decode(q).decode(),{'scope':g})",
  ];
  const program = lines.join('\n').replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const builtins = "__import__('builtins')";
  return `${builtins}.exec("${program}",{'g':${builtins}.globals(),'tenacitty':0})`;
}

function nodeOpening(nonce: string): string {
  const ask = `f.writeSync(t,'${asking(nonce, '').replace('\\033', '\\x1b').replace('\\007', '')}'+process.pid+';node\\x07')`;
  const take =
    "l='';while(!/[\\r\\n]/.test(l))l+=b.toString('latin1',0,f.readSync(t,b));if((l=l.trim())==='.')break;q+=l";
  const read = `for(;;){${ask};${take}}`;
  const program = `let l,q='';${read};f.closeSync(t);return Buffer.from(q,'base64').toString()`;
  return `/*tenacitty*/eval(((f,b)=>{const t=f.openSync('/dev/tty','r+');${program}})(require('fs'),Buffer.alloc(4096)))`;
}
