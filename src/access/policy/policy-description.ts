/** The schema of a policy, in a file or given to the library. Does not depend on commands. */
import { z } from 'zod';

const MAX_PATTERN = 256;
const MAX_WORDS = 64;
const MAX_RULES = 1000;
/** The longest duration of a timer. */
const MAX_TIME_MS = 2_147_483_647;

const noBlank = (what: string) =>
  z
    .string()
    .min(1)
    .max(MAX_PATTERN)
    .regex(/^[^\0]*$/)
    .describe(what);
const program = noBlank('The name of a program, or its full path.').regex(/^(?:\/.*|[^/]+)$/s, {
  error: 'a name without a slash, or a full path',
});

const rule = z.union([
  z
    .string()
    .regex(/\S/)
    .max(MAX_PATTERN * 4)
    .describe(
      'A program, and its arguments if they matter, separated by blanks: `git`, `/usr/bin/git`, `git push **`. `*` and `?` ' +
        'stand for characters of one argument, `**` for any number of arguments.',
    ),
  z.strictObject({
    program,
    args: z
      .array(z.string().max(MAX_PATTERN))
      .max(MAX_WORDS)
      .optional()
      .describe('Patterns of all arguments, in order. Default: whatever arguments.'),
    because: z.string().max(1000).optional().describe('Is told to whoever meets this rule.'),
  }),
]);
export type RuleDescription = z.infer<typeof rule>;

const rules = z.array(rule).max(MAX_RULES);
const decision = z.enum(['allow', 'ask', 'deny']);
export type Decision = z.infer<typeof decision>;
const names = z.array(noBlank('The name of a variable; `*` stands for any characters.')).max(MAX_RULES);

export const commandPolicyDescription = z.strictObject({
  deny: rules.optional().describe('What may never run. Comes before all else.'),
  ask: rules.optional().describe('What may run when somebody has said so.'),
  allow: rules.optional().describe('What may run.'),
  otherwise: decision.optional().describe('What no rule speaks of. Default: `deny` if there is `allow`, else `allow`.'),
  notUnderstood: decision
    .optional()
    .describe(
      'A line for a shell of which not all is known that it would run. Default: as `otherwise`, but `ask` where that is `allow`.',
    ),
  shells: z
    .enum(['allow', 'deny'])
    .default('allow')
    .describe('Whether a shell may be started to work in, without anything to run. What it is to run is checked.'),
  input: z
    .enum(['allow', 'deny'])
    .optional()
    .describe(
      'Whether text may be typed into terminals, which cannot be checked. Keys that stop a program may be in any case. ' +
        'Default: `allow` where `otherwise` is `allow`, else `deny`.',
    ),
  directories: z
    .array(noBlank('A full path.').regex(/^\//, { error: 'a full path, as /home/me/project' }))
    .min(1)
    .max(MAX_RULES)
    .optional()
    .describe('Where programs may be started, with all that is below. Default: anywhere.'),
  environment: z
    .strictObject({
      deny: names.optional().describe('Variables that may not be given, beside those that make programs run others.'),
      allow: names.optional().describe('The only variables that may be given. Default: all that are not denied.'),
      others: z
        .enum(['refuse', 'drop'])
        .default('refuse')
        .describe('What becomes of a request with other variables: it is refused, or goes on without them.'),
    })
    .prefault({}),
  timeLimitMs: z
    .int()
    .min(1000)
    .max(MAX_TIME_MS)
    .optional()
    .describe('How long a program or a command may run, in milliseconds; then it is ended. Default: no limit.'),
  maxArguments: z.int().min(0).max(100_000).default(4096).describe('Most arguments of a program.'),
  maxArgumentBytes: z
    .int()
    .min(1)
    .max(1 << 24)
    .default(131_072)
    .describe('Longest argument, in bytes.'),
  maxLineBytes: z
    .int()
    .min(1)
    .max(1 << 24)
    .default(1 << 20)
    .describe('Longest line for a shell, in bytes.'),
});

/** A policy as written. */
export type CommandPolicyDescription = z.input<typeof commandPolicyDescription>;
/** The policy with all independent defaults filled in. */
export type PolicyTerms = z.output<typeof commandPolicyDescription>;

/** Returns the policy's decisions for what no rule covers, and the defaults that depend on them. */
export function decisionsOf({ allow, otherwise, notUnderstood, input }: PolicyTerms) {
  const rest = otherwise ?? (allow === undefined ? 'allow' : 'deny');
  return {
    otherwise: rest,
    notUnderstood: notUnderstood ?? (rest === 'allow' ? 'ask' : rest),
    input: input ?? (rest === 'allow' ? 'allow' : 'deny'),
  } as const;
}
