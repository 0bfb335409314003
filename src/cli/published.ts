/** Whether npm has this package. Until it does, nothing offers npx: whoever took the name there would be run instead. */
export const IS_PUBLISHED: boolean = false;
