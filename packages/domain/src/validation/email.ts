/** The spec's simple pattern: something, an at sign, and a domain with a dot. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const MAX_EMAIL_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** A person's default name: the part before the @, with spaces for dots, because a name must not look like a URL. */
export function nameFromEmail(email: string): string {
  return (email.split('@')[0] ?? email).replaceAll('.', ' ').trim();
}
