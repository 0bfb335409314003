/**
 * Creates a policy from its description. The policy decides which programs can run, requests approval where a rule
 * requires it, and gives the reason for a denial.
 */
import { check } from '../../check.js';
import { invalidInput } from '../../errors.js';
import { searchPath } from '../../search-path.js';
import { AllowedDirectories, changesDirectory } from './allowed-directories.js';
import { approvalFrom } from './approval.js';
import type { AskForApproval, CommandPermit, CommandPolicy, CommandRequest } from './command-policy.js';
import { denied } from './denial.js';
import { EnvironmentFilter, describeVariable } from './environment-filter.js';
import { PolicyEvaluator } from './policy-evaluator.js';
import type { Evaluation } from './policy-evaluator.js';
import { commandPolicyDescription, decisionsOf } from './policy-description.js';
import type { CommandPolicyDescription, PolicyTerms } from './policy-description.js';
import { lookUpProgram } from './programs.js';
import type { LookupContext } from './programs.js';
import { analyzeProgram, analyzeShellLine } from '../shell-line/launch-analyzer.js';
import type { LineAnalysis } from '../shell-line/line-analysis.js';

export interface PolicyOptions {
  /** Requests approval from a person. Default: none, so programs that need approval are denied. */
  readonly ask?: AskForApproval | undefined;
  /**
   * Search path for program names, as colon-separated directories. Default: PATH of this process, without the entries
   * that npm prepends.
   */
  readonly path?: string;
  /** Paths or names of shells that can be started interactively although they are not in `path`. Default: none. */
  readonly shells?: readonly string[];
  /** Location of the policy, as messages should show it. Default: `the policy`. */
  readonly name?: string;
}

/** A policy created from a description, which also decides about things other than programs. */
export interface DescribedPolicy extends CommandPolicy {
  /** Whether typing into terminals is allowed. */
  readonly allowsInput: boolean;
  /**
   * Returns the directory to start a program in if the request names none: the usual one if it is allowed, otherwise
   * the first allowed one.
   */
  startDirectory(usual: string): string;
}

const WITHIN = 'it would run in a nested shell, whose language and machine are unknown';
const OTHER_SHELL = 'its shell would not be the one on PATH';
/** The search path if PATH is not set, as in execvp(3). */
const DEFAULT_PATH = '/bin:/usr/bin';

/**
 * Creates a policy.
 *
 * @param description - Plain data that matches `commandPolicyDescription`.
 * @throws {TerminalError} `INVALID_INPUT` naming each invalid field.
 */
export function createCommandPolicy(
  description: CommandPolicyDescription,
  options: PolicyOptions = {},
): DescribedPolicy {
  return new RulePolicy(check('', commandPolicyDescription, description), options);
}

class RulePolicy implements DescribedPolicy {
  readonly #terms: PolicyTerms;
  readonly #options: PolicyOptions;
  readonly #environment: EnvironmentFilter;
  readonly #directories: AllowedDirectories | null;
  readonly allowsInput: boolean;

  constructor(terms: PolicyTerms, options: PolicyOptions) {
    this.#terms = terms;
    this.#options = options;
    this.#environment = new EnvironmentFilter(terms);
    this.#directories = terms.directories === undefined ? null : new AllowedDirectories(terms.directories);
    this.allowsInput = decisionsOf(terms).input === 'allow';
  }

  startDirectory(usual: string): string {
    return this.#directories === null || this.#directories.contains(usual) ? usual : this.#directories.first;
  }

  async permit(request: CommandRequest, signal?: AbortSignal): Promise<CommandPermit> {
    signal?.throwIfAborted();
    this.#checkForm(request);
    const env = this.#environmentOf(request);
    const requested = { ...request, env };
    const evaluation = this.#notDenied(requested);
    if (evaluation.decision === 'ask') {
      await approvalFrom(this.#options.ask, requested, evaluation, signal, this.#options.name);
      // Links and files may have changed while approval was pending.
      this.#notDenied(requested);
    }
    return { env, timeLimitMs: this.#terms.timeLimitMs ?? null };
  }

  #notDenied(request: CommandRequest): Evaluation {
    const { cwd } = request;
    if (cwd !== null && this.#directories?.contains(cwd) === false) throw this.#directories.refusal(cwd);
    const evaluation = this.#evaluate(request);
    if (evaluation.decision === 'deny') throw denied(request, evaluation, this.#options.name);
    return evaluation;
  }

  #evaluate(request: CommandRequest): Evaluation {
    const place = this.#placeOf(request);
    const analysis = this.#read(request, place);
    const variable = this.#environment.refusedOf(analysis.assigned);
    if (variable !== null)
      return { decision: 'deny', rule: `environment: ${variable}`, reason: `it sets ${describeVariable(variable)}` };
    const outside = this.#directories?.problemOf(analysis.launched, request.cwd, request.cwdInShell) ?? null;
    if (outside !== null) return { decision: 'deny', rule: 'directories', reason: outside };
    const { shells = [] } = this.#options;
    return new PolicyEvaluator(this.#terms, {
      ...place,
      shells,
      isMoving: analysis.launched.some(changesDirectory),
    }).evaluate(analysis);
  }

  #placeOf({ cwd, env }: CommandRequest): LookupContext {
    const trustedPath = this.#options.path ?? searchPath(process.env) ?? DEFAULT_PATH;
    return { cwd, path: env['PATH'] ?? trustedPath, trustedPath };
  }

  #read({ command, args, shell, isWithin = false }: CommandRequest, place: LookupContext): LineAnalysis {
    if (args !== null) return analyzeProgram(command, args);
    // If the request names no shell, the line is run by bash as found on PATH, or by sh.
    const usual = shell === undefined ? lookUpProgram('bash', place) : null;
    const name = shell ?? (usual?.paths.length === 0 ? 'sh' : 'bash');
    const analysis = analyzeShellLine(command, name);
    const more = [isWithin ? WITHIN : '', usual?.isOnPath === false ? OTHER_SHELL : ''].filter(Boolean);
    return { ...analysis, doubts: new Set([...analysis.doubts, ...more]) };
  }

  #environmentOf(request: CommandRequest): Readonly<Record<string, string>> {
    const { env, refused } = this.#environment.filter(request.env);
    if (refused === null) return env;
    throw denied(
      request,
      {
        decision: 'deny',
        rule: `environment: ${refused}`,
        reason: `it sets the environment variable ${describeVariable(refused)}`,
      },
      this.#options.name,
    );
  }

  #checkForm({ command, args, env }: CommandRequest): void {
    const { maxArguments, maxArgumentBytes, maxLineBytes } = this.#terms;
    const texts = [command, ...(args ?? []), ...Object.entries(env).flat()];
    if (texts.some((text) => text.includes('\0')))
      throw refused('must not contain a NUL character', 'text without NUL');
    const longest = args === null ? maxLineBytes : maxArgumentBytes;
    if (Buffer.byteLength(command) > longest) throw refused('is too long', `at most ${longest} bytes`);
    if (args !== null && args.length > maxArguments) throw refused('has too many arguments', `at most ${maxArguments}`);
    const isLong = args?.some((argument) => Buffer.byteLength(argument) > maxArgumentBytes) === true;
    if (isLong) throw refused('has an argument that is too long', `at most ${maxArgumentBytes} bytes`);
  }
}

function refused(message: string, expected: string) {
  return invalidInput({ field: 'command', message, expected });
}
