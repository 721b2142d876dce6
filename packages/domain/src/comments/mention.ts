export interface Mention {
  readonly staff_id: string;
  readonly name: string;
}

/** Matches a mention in a comment's stored text: '@[id]'. The id outlives renaming; pages show the person's current name. */
const MENTION_PATTERN = /@\[([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\]/;
const UNKNOWN_NAME = 'Someone';

export const listMentionedIds = (text: string): string[] => [...new Set(text.split(MENTION_PATTERN).filter((_, index) => index % 2 === 1))];

/** Splits a stored text at its mentions, in order. */
export function splitAtMentions(text: string, mentions: readonly Mention[]): { text: string; isMention: boolean }[] {
  const names = new Map(mentions.map(({ staff_id, name }) => [staff_id, name]));
  return text
    .split(MENTION_PATTERN)
    .map((part, index) =>
      index % 2 === 1 ? { text: `@${names.get(part) ?? UNKNOWN_NAME}`, isMention: true } : { text: part, isMention: false },
    )
    .filter((part) => part.text !== '');
}

/** Formats a stored text as people read and type it: '@Sam Leota, please call.' */
export const formatMentions = (text: string, mentions: readonly Mention[]): string =>
  splitAtMentions(text, mentions)
    .map((part) => part.text)
    .join('');

/** Converts a typed text to a stored text. Of people with the same name, each occurrence is the next one in the list. */
export function encodeMentions(text: string, mentions: readonly Mention[]): string {
  if (mentions.length === 0) return text;
  // A longer name comes first, so that '@Sam Leota' isn't taken for '@Sam'.
  const names = mentions.map(({ name }) => name).toSorted((one, other) => other.length - one.length);
  const used = new Set<Mention>();
  const pattern = new RegExp(`@(${names.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return text.replace(pattern, (typed, name: string) => {
    const people = mentions.filter((mention) => mention.name === name);
    const person = people.find((mention) => !used.has(mention)) ?? people.at(-1);
    if (!person) return typed;
    used.add(person);
    return `@[${person.staff_id}]`;
  });
}

const escapePattern = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Returns the unfinished mention before the cursor, such as '@sa', with its start and the typed beginning of the name. */
export function findMentionAtCursor(text: string, cursor: number): { start: number; term: string } | null {
  const match = /(?:^|[\s(])@([\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]*)?)$/u.exec(text.slice(0, cursor));
  const term = match?.[1];
  return term === undefined ? null : { start: cursor - term.length - 1, term };
}

/** Returns true if the name, or one of its words, starts with the term. */
export function matchesMentionTerm(name: string, term: string): boolean {
  const [lowerName, lowerTerm] = [name.toLowerCase(), term.toLowerCase()];
  return lowerName.startsWith(lowerTerm) || lowerName.split(' ').some((word) => word.startsWith(lowerTerm));
}
