/** The grammar in which a line is read: bash, the common subset of POSIX shells, or zsh. */
export type Dialect = 'bash' | 'sh' | 'zsh';
