/** The grammar a line is read by: that of bash, what all shells of the POSIX kind agree on, or zsh's. */
export type Dialect = 'bash' | 'sh' | 'zsh';
