/** Applies a policy's rules to everything that a request would run. Requests no approval and starts nothing. */
import { CommandRule } from './command-rules.js';
import { decisionsOf } from './policy-description.js';
import type { Decision, PolicyTerms } from './policy-description.js';
import { lookUpProgram } from './programs.js';
import type { KnownProgram, LookupContext } from './programs.js';
import { isHarmlessBuiltin } from '../shell-line/builtins.js';
import { baseName } from '../shell-line/launch-analyzer.js';
import type { LaunchedProgram, LineAnalysis } from '../shell-line/line-analysis.js';
import { isInteractiveShell } from '../shell-line/shells.js';

export interface Evaluation {
  readonly decision: Decision;
  /** The rule that decided, as written in the policy. */
  readonly rule: string;
  /** Human-readable reason, as a clause; empty if the rule already says everything. */
  readonly reason: string;
}

interface EvaluationContext extends LookupContext {
  /** Shells that are trusted wherever their files are. */
  readonly shells: readonly string[];
  /** Whether the line changes directories, so that relative paths may be relative to a directory other than `cwd`. */
  readonly isMoving: boolean;
}

/** Decisions in order of strictness; of several, the strictest wins. */
const STRICTNESS: readonly Decision[] = ['allow', 'ask', 'deny'];

export class PolicyEvaluator {
  readonly #terms: PolicyTerms;
  readonly #context: EvaluationContext;
  readonly #rules: Readonly<Record<Decision, readonly CommandRule[]>>;

  constructor(terms: PolicyTerms, place: EvaluationContext) {
    this.#terms = terms;
    this.#context = place;
    const rulesOf = (decision: Decision) => (terms[decision] ?? []).map((rule) => new CommandRule(rule));
    this.#rules = { deny: rulesOf('deny'), ask: rulesOf('ask'), allow: rulesOf('allow') };
  }

  evaluate({ launched, doubts }: LineAnalysis): Evaluation {
    const evaluations = [
      ...launched.map((one) => this.#evaluateProgram(one)),
      ...[...doubts].map((doubt) => this.#notUnderstood(doubt)),
    ];
    return evaluations.reduce(
      (worst, evaluation) => (isStricter(evaluation, worst) ? evaluation : worst),
      RUNS_NOTHING,
    );
  }

  #evaluateProgram(launched: LaunchedProgram): Evaluation {
    const known = lookUpProgram(launched.program, this.#context);
    const forbidding =
      this.#matchForbiddingRule('deny', known, launched) ?? this.#matchForbiddingRule('ask', known, launched);
    if (forbidding?.decision === 'deny') return forbidding;
    // Only rules that forbid apply to a guess. The line's doubts decide separately about not understanding it.
    if (launched.isGuess) return forbidding ?? RUNS_NOTHING;
    const evaluation =
      forbidding ??
      this.#matchPermittingRule(this.#isCertain(launched) ? known : this.#lookUpWithoutDirectory(launched), launched);
    if (known.isCertain) return evaluation;
    const doubt = this.#notUnderstood(`the file of ${launched.program} cannot be determined`);
    return isStricter(doubt, evaluation) ? doubt : evaluation;
  }

  #isCertain({ program }: LaunchedProgram): boolean {
    return !this.#context.isMoving || !program.includes('/') || program.startsWith('/');
  }

  #lookUpWithoutDirectory({ program }: LaunchedProgram): KnownProgram {
    return lookUpProgram(program, { ...this.#context, cwd: null });
  }

  #matchForbiddingRule(
    decision: 'deny' | 'ask',
    known: KnownProgram,
    { program, args }: LaunchedProgram,
  ): Evaluation | null {
    const matches = this.#rules[decision].map((rule) => ({ rule, match: rule.matchesAnyName(known, args) }));
    const sure = matches.find(({ match }) => match === 'yes');
    if (sure !== undefined)
      return { decision, rule: `${decision}: ${sure.rule.text}`, reason: sure.rule.because ?? '' };
    const possible = matches.find(({ match }) => match === 'maybe');
    if (possible === undefined) return null;
    const doubt = this.#notUnderstood(
      `arguments of ${program} that the rule \`${possible.rule.text}\` needs are unknown`,
    );
    return doubt.decision === 'allow' ? null : doubt;
  }

  #matchPermittingRule(known: KnownProgram, launched: LaunchedProgram): Evaluation {
    const rule = this.#rules.allow.find((one) => one.matchesTrueName(known, launched.args));
    if (rule !== undefined) return { decision: 'allow', rule: `allow: ${rule.text}`, reason: '' };
    if (launched.isInShell && isHarmlessBuiltin(launched.program)) return ALWAYS_ALLOWED;
    if (launched.isWrapper && known.isOnPath) return ALWAYS_ALLOWED;
    if (this.#isShellToWorkIn(known, launched)) return { decision: this.#terms.shells, rule: 'shells', reason: '' };
    const { otherwise } = decisionsOf(this.#terms);
    return { decision: otherwise, rule: `otherwise: ${otherwise}`, reason: `no rule matches ${launched.program}` };
  }

  #isShellToWorkIn({ word, isOnPath }: KnownProgram, { args, isInShell }: LaunchedProgram): boolean {
    const isTrusted = isOnPath || this.#context.shells.includes(word);
    return !isInShell && isTrusted && isInteractiveShell(baseName(word), args);
  }

  #notUnderstood(what: string): Evaluation {
    const { notUnderstood } = decisionsOf(this.#terms);
    return { decision: notUnderstood, rule: `notUnderstood: ${notUnderstood}`, reason: what };
  }
}

const RUNS_NOTHING: Evaluation = { decision: 'allow', rule: 'runs nothing', reason: '' };
const ALWAYS_ALLOWED: Evaluation = { decision: 'allow', rule: 'always allowed', reason: '' };

function isStricter({ decision }: Evaluation, { decision: other }: Evaluation): boolean {
  return STRICTNESS.indexOf(decision) > STRICTNESS.indexOf(other);
}
