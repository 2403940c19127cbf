// An error as the log shall show it: without frames of ours, which would tell the author of a skill nothing.

/** `text`: as a stack is, or a sentence alone. */
export const errorOfText = (text: string): Error => Object.assign(new Error(text.split('\n', 1)[0]), { stack: text });
