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

/** Mail clients turn any word with a dot inside into a link: letters, digits or emoji, the dot, and at least two letters, as in evil.example. */
const HOST = /[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}][.。][\p{L}\p{M}]{2}/u;
const IP_ADDRESS = /\d+\.\d+\.\d+\.\d+/;

/** J.R.Smith, Dr.Jones, St.John, Smith & Co.Ltd: written so by people who leave out a space. x.com is no such name. */
const INITIALS_AND_TITLES =
  /(?<![\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}.-])(?:(?:(?:\p{L}\.)+|(?:Dr|Mr|Mrs|Ms|St|Prof)\.)(?=\p{Lu}\p{Ll})|Co\.(?=Ltd\b))/gu;

/** Whether a mail client would turn part of the text into a link. A dot before a space, a digit or a single letter is fine. */
export function containsUrl(text: string): boolean {
  // Full-width dots count as dots, and characters that show nothing must not hide one.
  const shown = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(INITIALS_AND_TITLES, (found) => found.replaceAll('.', ' '));
  return shown.includes('://') || /www\./i.test(shown) || HOST.test(shown) || IP_ADDRESS.test(shown);
}
