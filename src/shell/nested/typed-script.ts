/**
 * What is typed to a shell or REPL with which no file can be shared, another machine's above all: a line that has it
 * ask for a text, and the text itself in lines that no terminal cuts. Pure; it knows no terminal and no file.
 *
 * The far end asks for each line by a mark, so that nothing is typed that nobody reads; the last line is a dot. A shell
 * needs `printf` for that and nothing else; a REPL has base64 with it.
 */
import { MARK_PREFIX } from '../marker.js';
import { isRepl } from '../shells.js';
import type { FollowedKind } from '../shells.js';

/** What is asked first: any shell of the POSIX kind, which says which it is; or a REPL that is known by name. */
export type Opening = 'sh' | 'python' | 'node';

/** Below what any terminal takes as one line: 1024 on macOS, 4096 on Linux. */
const MAX_LINE_BYTES = 700;
const LAST_LINE = '.';

/** The number by which a far end asks for the integration; commands begin at 1. */
export const SCRIPT_NUMBER = 0;

/** The line that has the far end ask for the integration and load it, Enter included. */
export function openingLine(opening: Opening, nonce: string): string {
  if (opening === 'python') return `${pythonOpening(nonce)}\r`;
  if (opening === 'node') return `${nodeOpening(nonce)}\r`;
  return `${shellOpening(nonce)}\r`;
}

/** What kind of shell has asked, by what it says of itself. */
export function kindOfAsker(program: string): FollowedKind {
  return program === 'bash' || program === 'zsh' || program === 'python' || program === 'node' ? program : 'sh';
}

/** The lines that carry a text, each to be typed when it is asked for, Enter included. */
export function typedLines(kind: FollowedKind, text: string): string[] {
  const carried = isRepl(kind) ? Buffer.from(text, 'utf8').toString('base64') : escaped(text);
  const lines = carried.match(new RegExp(`.{1,${MAX_LINE_BYTES}}`, 'g')) ?? [];
  // Read as a line feed whether or not the terminal makes one of Enter.
  return [...lines, LAST_LINE].map((line) => `${line}\n`);
}

/** A script without what only its readers need. */
export function withoutComments(script: string): string {
  const lines = script.split('\n').filter((line) => !/^\s*(?:#|\/\/|$)/.test(line));
  return `${lines.join('\n')}\n`;
}

/**
 * As `printf %b` takes it: printable ASCII as it is, all else byte by byte. A dot at the end is escaped, so that no line
 * of the text is the one that ends it.
 */
function escaped(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/[^\x20-\x5b\x5d-\x7e]|\.$/g, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The mark in a language that writes ESC and BEL as octal numbers, its nonce in place. */
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
