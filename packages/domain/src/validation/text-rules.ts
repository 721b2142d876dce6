/** The specification's simple pattern: any text, an at sign, and a domain with a dot. */
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const MAX_EMAIL_LENGTH = 254;

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL_PATTERN.test(text);
}

/** Derives a person's default name: the part before the @, with dots replaced by spaces so that the name doesn't look like a URL. */
export function deriveNameFromEmail(email: string): string {
  return (email.split('@')[0] ?? email).replaceAll('.', ' ').trim();
}

/** Mail clients link any word like evil.example: a letter, digit or emoji, then a dot, then at least two letters. */
const HOST_PATTERN = /[\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}][.。][\p{L}\p{M}]{2}/u;
const IP_ADDRESS_PATTERN = /\d+\.\d+\.\d+\.\d+/;

/** Matches names without a space after the dot, such as J.R.Smith, Dr.Jones, St.John and Smith & Co.Ltd, but not URLs such as x.com. */
const INITIALS_AND_TITLES =
  /(?<![\p{L}\p{M}\p{N}\p{So}\p{Emoji_Modifier}.-])(?:(?:(?:\p{L}\.)+|(?:Dr|Mr|Mrs|Ms|St|Prof)\.)(?=\p{Lu}\p{Ll})|Co\.(?=Ltd\b))/gu;

/** Returns true if a mail client would turn part of the text into a link. A dot before a space, a digit or a single letter is fine. */
export function containsUrl(text: string): boolean {
  // NFKC turns full-width dots into plain ones. Invisible characters are removed because they could hide a dot.
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(INITIALS_AND_TITLES, (match) => match.replaceAll('.', ' '));
  return visible.includes('://') || /www\./i.test(visible) || HOST_PATTERN.test(visible) || IP_ADDRESS_PATTERN.test(visible);
}
