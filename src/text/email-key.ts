// What two emails are compared by.

/** Letter case does not count (B5), nor how an accent was typed, nor blanks around it. */
export const emailKeyOf = (email: string): string => email.normalize('NFC').trim().toLowerCase();
