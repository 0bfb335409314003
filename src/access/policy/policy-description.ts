/** Defines the schema of a policy, which is in a file or passed to the library. */
import { z } from 'zod';

const MAX_PATTERN = 256;
const MAX_WORDS = 64;
const MAX_RULES = 1000;
/** The longest duration that a Node timer supports. */
const MAX_TIME_MS = 2_147_483_647;

const noBlank = (what: string) =>
  z
    .string()
    .min(1)
    .max(MAX_PATTERN)
    .regex(/^[^\0]*$/)
    .describe(what);
const program = noBlank('Name or full path of a program.').regex(/^(?:\/.*|[^/]+)$/s, {
  error: 'a name without a slash, or a full path',
});

const rule = z.union([
  z
    .string()
    .regex(/\S/)
    .max(MAX_PATTERN * 4)
    .describe(
      'A program, optionally with its arguments, separated by spaces: `git`, `/usr/bin/git`, `git push **`. `*` ' +
        'and `?` match characters within one argument, `**` matches any number of arguments.',
    ),
  z.strictObject({
    program,
    args: z
      .array(z.string().max(MAX_PATTERN))
      .max(MAX_WORDS)
      .optional()
      .describe('Patterns for all arguments, in order. Default: any arguments.'),
    because: z.string().max(1000).optional().describe('Reason, shown when this rule refuses a command.'),
  }),
]);
export type RuleDescription = z.infer<typeof rule>;

const rules = z.array(rule).max(MAX_RULES);
const decision = z.enum(['allow', 'ask', 'deny']);
export type Decision = z.infer<typeof decision>;
const names = z.array(noBlank('Name of a variable; `*` matches any characters.')).max(MAX_RULES);

export const commandPolicyDescription = z.strictObject({
  deny: rules.optional().describe('Programs that may never run. Overrides the other lists.'),
  ask: rules.optional().describe('Programs that may run after approval.'),
  allow: rules.optional().describe('Programs that may run.'),
  otherwise: decision
    .optional()
    .describe('Decision if no rule matches. Default: `deny` if there is an `allow` list, else `allow`.'),
  notUnderstood: decision
    .optional()
    .describe(
      'Decision for a shell line that cannot be fully analysed. Default: `ask` if `otherwise` is `allow`, else ' +
        'as `otherwise`.',
    ),
  shells: z
    .enum(['allow', 'deny'])
    .default('allow')
    .describe('Whether an interactive shell may be started. Commands in it are checked.'),
  input: z
    .enum(['allow', 'deny'])
    .optional()
    .describe(
      'Whether text, which cannot be checked, may be typed into terminals. Keys that stop a program are always ' +
        'allowed. Default: `allow` if `otherwise` is `allow`, else `deny`.',
    ),
  directories: z
    .array(noBlank('A full path.').regex(/^\//, { error: 'a full path, such as /home/me/project' }))
    .min(1)
    .max(MAX_RULES)
    .optional()
    .describe('Directories, with their subdirectories, in which programs may be started. Default: all.'),
  environment: z
    .strictObject({
      deny: names
        .optional()
        .describe('Variables that may not be set, in addition to those that make programs run other programs.'),
      allow: names.optional().describe('The only variables that may be set. Default: all that are not denied.'),
      others: z
        .enum(['refuse', 'drop'])
        .default('refuse')
        .describe('Whether a request with other variables is refused or runs without them.'),
    })
    .prefault({}),
  timeLimitMs: z
    .int()
    .min(1000)
    .max(MAX_TIME_MS)
    .optional()
    .describe(
      'Maximum run time of a program or a command, in milliseconds, after which it is ended. Default: no limit.',
    ),
  maxArguments: z.int().min(0).max(100_000).default(4096).describe('Maximum number of arguments of a program.'),
  maxArgumentBytes: z
    .int()
    .min(1)
    .max(1 << 24)
    .default(131_072)
    .describe('Maximum length of an argument, in bytes.'),
  maxLineBytes: z
    .int()
    .min(1)
    .max(1 << 24)
    .default(1 << 20)
    .describe('Maximum length of a shell line, in bytes.'),
});

/** A policy as its author writes it. */
export type CommandPolicyDescription = z.input<typeof commandPolicyDescription>;
/** A policy with all defaults filled in that do not depend on other fields. */
export type PolicyTerms = z.output<typeof commandPolicyDescription>;

/**
 * Returns the policy's decisions for what no rule matches, for lines that are not understood, and for typing. The
 * defaults of the latter two depend on the first.
 */
export function decisionsOf({ allow, otherwise, notUnderstood, input }: PolicyTerms) {
  const rest = otherwise ?? (allow === undefined ? 'allow' : 'deny');
  return {
    otherwise: rest,
    notUnderstood: notUnderstood ?? (rest === 'allow' ? 'ask' : rest),
    input: input ?? (rest === 'allow' ? 'allow' : 'deny'),
  } as const;
}
