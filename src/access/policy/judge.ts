/** Applies a policy's rules to everything that would run together. Requests no approval and starts nothing. */
import { CommandRule } from './command-rules.js';
import { decisionsOf } from './policy-description.js';
import type { Decision, PolicyTerms } from './policy-description.js';
import { lookUp } from './programs.js';
import type { KnownProgram, ProgramPlace } from './programs.js';
import { isHarmless } from '../shell-line/builtins.js';
import { baseName } from '../shell-line/launched.js';
import type { Launched, Reading } from '../shell-line/reading.js';
import { isShellToWorkIn } from '../shell-line/shells.js';

export interface Verdict {
  readonly decision: Decision;
  /** The rule that decided, as written in the policy. */
  readonly rule: string;
  /** Completes the phrase "because …"; empty if the rule says everything. */
  readonly reason: string;
}

interface JudgingPlace extends ProgramPlace {
  /** Shells that are trusted wherever they are. */
  readonly shells: readonly string[];
  /** Whether relative paths could be relative to another directory. */
  readonly isMoving: boolean;
}

/** The strictest decision wins. */
const STRICTNESS: readonly Decision[] = ['allow', 'ask', 'deny'];

export class Judge {
  readonly #terms: PolicyTerms;
  readonly #place: JudgingPlace;
  readonly #rules: Readonly<Record<Decision, readonly CommandRule[]>>;

  constructor(terms: PolicyTerms, place: JudgingPlace) {
    this.#terms = terms;
    this.#place = place;
    const rulesOf = (decision: Decision) => (terms[decision] ?? []).map((rule) => new CommandRule(rule));
    this.#rules = { deny: rulesOf('deny'), ask: rulesOf('ask'), allow: rulesOf('allow') };
  }

  judge({ launched, doubts }: Reading): Verdict {
    const verdicts = [
      ...launched.map((one) => this.#ofOne(one)),
      ...[...doubts].map((doubt) => this.#notUnderstood(doubt)),
    ];
    return verdicts.reduce((worst, verdict) => (isStricter(verdict, worst) ? verdict : worst), NOTHING);
  }

  #ofOne(launched: Launched): Verdict {
    const known = lookUp(launched.program, this.#place);
    const forbidding = this.#forbidding('deny', known, launched) ?? this.#forbidding('ask', known, launched);
    if (forbidding?.decision === 'deny') return forbidding;
    // That the line is not understood is a separate verdict.
    if (launched.isGuess) return forbidding ?? NOTHING;
    const verdict =
      forbidding ?? this.#permitting(this.#isCertain(launched) ? known : this.#elsewhere(launched), launched);
    if (known.isCertain) return verdict;
    const doubt = this.#notUnderstood(`the file of ${launched.program} cannot be determined`);
    return isStricter(doubt, verdict) ? doubt : verdict;
  }

  #isCertain({ program }: Launched): boolean {
    return !this.#place.isMoving || !program.includes('/') || program.startsWith('/');
  }

  #elsewhere({ program }: Launched): KnownProgram {
    return lookUp(program, { ...this.#place, cwd: null });
  }

  #forbidding(decision: 'deny' | 'ask', known: KnownProgram, { program, args }: Launched): Verdict | null {
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

  #permitting(known: KnownProgram, launched: Launched): Verdict {
    const rule = this.#rules.allow.find((one) => one.matchesTrueName(known, launched.args));
    if (rule !== undefined) return { decision: 'allow', rule: `allow: ${rule.text}`, reason: '' };
    if (launched.isInShell && isHarmless(launched.program)) return ITSELF;
    if (launched.isWrapper && known.isOnPath) return ITSELF;
    if (this.#isShellToWorkIn(known, launched)) return { decision: this.#terms.shells, rule: 'shells', reason: '' };
    const { otherwise } = decisionsOf(this.#terms);
    return { decision: otherwise, rule: `otherwise: ${otherwise}`, reason: `no rule matches ${launched.program}` };
  }

  #isShellToWorkIn({ word, isOnPath }: KnownProgram, { args, isInShell }: Launched): boolean {
    const isTrusted = isOnPath || this.#place.shells.includes(word);
    return !isInShell && isTrusted && isShellToWorkIn(baseName(word), args);
  }

  #notUnderstood(what: string): Verdict {
    const { notUnderstood } = decisionsOf(this.#terms);
    return { decision: notUnderstood, rule: `notUnderstood: ${notUnderstood}`, reason: what };
  }
}

const NOTHING: Verdict = { decision: 'allow', rule: 'runs nothing', reason: '' };
const ITSELF: Verdict = { decision: 'allow', rule: 'always allowed', reason: '' };

function isStricter({ decision }: Verdict, { decision: other }: Verdict): boolean {
  return STRICTNESS.indexOf(decision) > STRICTNESS.indexOf(other);
}
