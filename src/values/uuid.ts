// An id of 8-4-4-4-12 hexadecimal digits, of any version and in any letter case.

export const UUID_PATTERN = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

export const isUuid = (text: string): boolean => UUID_PATTERN.test(text);
