import type { JobComment } from '@callout/contract/comments';
import { encodeMentions, formatMentions, type Mention } from '@callout/domain/comments/mention';

/** The text of a stored comment while its author edits it. */
export interface CommentEdit {
  /** The text as typed, with names where people are mentioned. */
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** The version that the edit is based on. A live update may already have brought a newer one. */
  readonly base: Pick<JobComment, 'version' | 'content'>;
}

export type CommentEdits = Readonly<Record<string, CommentEdit>>;

export const createCommentEdit = ({ content, mentions, version }: JobComment): CommentEdit => ({
  text: formatMentions(content, mentions),
  mentions,
  base: { version, content },
});

export const encodeEdit = ({ text, mentions }: CommentEdit): string => encodeMentions(text.trim(), mentions);

export const isEditChanged = (edit: CommentEdit): boolean => encodeEdit(edit) !== edit.base.content;

export const pickEdits = (edits: CommentEdits, isKept: (edit: CommentEdit, id: string) => boolean): CommentEdits =>
  Object.fromEntries(Object.entries(edits).filter(([id, edit]) => isKept(edit, id)));
