/** Parses the arguments of one command according to its entry in the command table. */
import type { ParsedCall, Command } from './command.js';
import { commandName } from '../command-name.js';
import { TerminalError } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { printable } from '../printable.js';
import { flagName } from './flag.js';
import type { Flag } from './flag.js';

/** A flag that is a setting. */
export interface SettingFlag {
  /** The flag as written, such as `--data-dir`. */
  readonly name: string;
  readonly isSwitch: boolean;
}

export const HELP_FLAGS: readonly string[] = ['--help', '-h'];

/** The state of parsing so far. */
interface ParseState {
  readonly command: Command;
  readonly rest: string[];
  readonly values: Record<string, unknown>;
  readonly operands: string[];
  readonly settings: string[];
  readonly settingFlags: readonly SettingFlag[];
}

/**
 * Parses the arguments of a command.
 *
 * @param words - The words after the command's name.
 * @returns The parsed call, or `help` if help was requested.
 * @throws `INVALID_INPUT` for unknown flags, invalid values, and too few or too many words.
 */
export function parse(
  command: Command,
  words: readonly string[],
  settingFlags: readonly SettingFlag[] = [],
): ParsedCall | 'help' {
  const state: ParseState = {
    command,
    rest: [...words],
    values: Object.fromEntries(Object.entries(command.flags).map(([key, flag]) => [key, flag.initial as unknown])),
    operands: [],
    settings: [],
    settingFlags,
  };
  if (asksForHelp(command, words)) return 'help';
  const program = readWords(state);
  checkFlags(command, state.values);
  checkOperands(command, isByLabel(command, state.values), state.operands, program);
  return { operands: state.operands, program, flags: state.values, settings: state.settings };
}

/**
 * Returns whether help is requested. Checked first, so that errors in other words do not prevent it. Words after a
 * program's name belong to the program.
 */
function asksForHelp({ program }: Command, words: readonly string[]): boolean {
  const isEnd = (word: string) => word === '--' || (takesProgramFirst(program) && !word.startsWith('-'));
  const end = words.findIndex(isEnd);
  return words.slice(0, end < 0 ? words.length : end).some((word) => HELP_FLAGS.includes(word));
}

/** Returns whether the first word that is not a flag is the program. */
function takesProgramFirst(program: Command['program']): boolean {
  return program === 'optional' || program === 'required';
}

/** Parses the words, and returns the program and its arguments. */
function readWords(state: ParseState): string[] {
  const { command, rest, operands } = state;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const isFlag = word.startsWith('-') && word !== '-';
    if (word !== '--' && isFlag) readFlag(state, word);
    else if (word === '--' && command.program !== 'none') return rest;
    else if (takesProgramFirst(command.program)) return [word, ...rest];
    else if (word !== '--') takeOperand(state, word);
    else operands.push(...rest.splice(0));
  }
  return [];
}

function takeOperand({ command, rest, operands }: ParseState, word: string): void {
  if (isMeantAsProgram(command, operands) && !rest.includes('--'))
    throw dashesMissing(command, operands, [word, ...rest]);
  operands.push(word);
}

/** Returns whether another word can only be the program, because no operand is missing. */
function isMeantAsProgram({ program, operands }: Command, given: readonly string[]): boolean {
  const areAllNeeded = operands.every(({ isOptional }) => !isOptional);
  return program === 'behind' && areAllNeeded && given.length === operands.length;
}

function dashesMissing(command: Command, operands: readonly string[], words: readonly string[]): TerminalError {
  const meant = [commandName(), command.name, ...operands, '--', ...words.map(quotedWhereNeeded)].join(' ');
  return usageError(command, `Give the program to start after --: ${meant}.`);
}

export function quotedWhereNeeded(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function readFlag(state: ParseState, word: string): void {
  if (!word.startsWith('--')) return readShortFlags(state, word);
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const inline = equals < 0 ? undefined : word.slice(equals + 1);
  const key = Object.keys(state.command.flags).find((candidate) => isNamed(state.command, candidate, name));
  if (key === undefined) readSetting(state, name, inline);
  else readOwnFlag(state, key, name, inline);
}

/** Parses one or more joined short flags, the last of which can be followed by its value: `-f`, `-fq`, `-C1`. */
function readShortFlags(state: ParseState, word: string): void {
  const { command } = state;
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`;
    const key = Object.keys(command.flags).find((candidate) => isNamed(command, candidate, name));
    if (key === undefined) return readSetting(state, at === 1 ? word : name, undefined);
    const value = word.slice(at + 1);
    const takesRest = command.flags[key]!.valueName !== null && value !== '';
    readOwnFlag(state, key, name, takesRest ? value : undefined);
    if (takesRest) return;
  }
}

function isNamed({ flags }: Command, key: string, name: string): boolean {
  const { short } = flags[key]!;
  return flagName(key) === name || (short !== null && `-${short}` === name);
}

function readOwnFlag(
  { command, rest, values }: ParseState,
  key: string,
  name: string,
  inline: string | undefined,
): void {
  const flag = command.flags[key] as Flag<unknown>;
  const takesValue = flag.valueName !== null;
  if (!takesValue && inline !== undefined) throw usageError(command, `${name} takes no value.`);
  const given = takesValue ? (inline ?? valueAfter(rest)) : '';
  if (given === undefined) throw usageError(command, `${name} needs a value: ${flag.expected}.`);
  const value = flag.take(given, values[key]);
  if (value === undefined) {
    throw usageError(command, `${name}: expected ${flag.expected}, given ${JSON.stringify(given)}.`);
  }
  values[key] = value;
}

/**
 * Takes the value from the next word. `--` is never a value, because it begins the program; to pass it as one, write
 * `--flag=--`.
 */
function valueAfter(rest: string[]): string | undefined {
  return rest[0] === '--' ? undefined : rest.shift();
}

function readSetting({ command, rest, settings, settingFlags }: ParseState, name: string, inline: string | undefined) {
  const setting = settingFlags.find((candidate) => candidate.name === name);
  if (!setting) {
    const known = [...Object.keys(command.flags).map(flagName), ...settingFlags.map((flag) => flag.name)];
    throw usageError(command, `Unknown flag ${name}.${didYouMean(name, known)}`);
  }
  if (inline !== undefined) settings.push(`${name}=${inline}`);
  else if (setting.isSwitch) settings.push(`${name}=${/^(true|false)$/.test(rest[0] ?? '') ? rest.shift() : 'true'}`);
  else {
    const value = valueAfter(rest);
    if (value === undefined) throw usageError(command, `${name} needs a value.`);
    settings.push(`${name}=${value}`);
  }
}

/** Returns whether labels replace the ID, so that the words do not contain one. */
function isByLabel({ operands }: Command, { label }: Record<string, unknown>): boolean {
  return Array.isArray(label) && label.length > 0 && operands.some(({ name }) => name === 'ID');
}

function checkFlags(command: Command, values: Readonly<Record<string, unknown>>): void {
  const isGiven = (key: string) => values[key] !== command.flags[key]?.initial;
  const both = command.apart.find((pair) => pair.every(isGiven));
  if (both) throw usageError(command, `Give either ${both.map(flagName).join(' or ')}.`);
}

function checkOperands(
  command: Command,
  isByLabel: boolean,
  given: readonly string[],
  program: readonly string[],
): void {
  const operands = isByLabel ? command.operands.filter(({ name }) => name !== 'ID') : command.operands;
  const missing = operands.find(({ isOptional }, index) => !isOptional && given[index] === undefined);
  if (missing) throw usageError(command, `${missing.name} is missing.`);
  if (command.program === 'required' && program.length === 0) throw usageError(command, 'PROGRAM is missing.');
  const isOpen = operands.at(-1)?.isMany ?? false;
  if (!isOpen && given.length > operands.length) {
    const hint = isByLabel ? ' Give either ID or --label.' : '';
    throw usageError(command, `Unexpected argument ${JSON.stringify(given[operands.length])}.${hint}`);
  }
}

/** Returns the error for incorrect use of a command, which refers to the command's help. */
export function usageError({ name }: Pick<Command, 'name'>, message: string): TerminalError {
  return new TerminalError('INVALID_INPUT', `${printable(message)} See ${commandName()} help ${name}.`);
}
