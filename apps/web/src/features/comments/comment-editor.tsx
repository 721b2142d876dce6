import type { JobComment } from '@callout/contract/comments';
import type { Mention } from '@callout/domain/comments/mention';
import { MAX_COMMENT_LENGTH } from '@callout/domain/files/attachment';
import { formatCount } from '@callout/domain/text/count-format';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { UNSENT } from '../../lib/commands/outbox.ts';
import { useCommand } from '../../lib/commands/use-command.ts';
import { getErrorMessage, getFieldErrors, hasErrorCode } from '../../lib/error-messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/text-field.tsx';
import { UnsavedChangesPrompt } from '../../ui/unsaved-changes-prompt.tsx';
import type { NamedJob } from '../jobs/jobs.api.ts';
import type { CommentDraftActions } from './comment-drafts.ts';
import { type CommentEdit, encodeEdit } from './comment-edit.ts';
import { updateComment } from './comments.api.ts';
import { MentionSuggestions, useMentionSuggestions } from './mention-suggestions.tsx';

const CHANGED_ELSEWHERE_MESSAGE = 'You have changed this comment on another device. Saving again replaces that text.';

interface CommentEditorProps {
  comment: JobComment;
  edit: CommentEdit;
  job: NamedJob;
  actions: CommentDraftActions;
}

/** Edits a comment's text in its place in the list. Ctrl+Enter saves, Escape cancels. */
export function CommentEditor({ comment: { id, attachments }, edit, job, actions }: CommentEditorProps) {
  const { text, mentions, base } = edit;
  const [error, setError] = useState<string>();
  const update = useCommand(updateComment);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const setText = (typed: string) => actions.changeEdit(id, { text: typed });
  const addMention = (mention: Mention) => actions.changeEdit(id, { mentions: [...mentions, mention] });
  const onClose = () => actions.discardEdit(id);
  const suggestions = useMentionSuggestions({ textarea, text, onChange: setText, onPick: addMention });
  const content = encodeEdit(edit);
  const isDirty = useCallback(() => content !== base.content, [content, base.content]);
  const isTooLong = content.length > MAX_COMMENT_LENGTH;
  const canSave = !isTooLong && (content !== '' || attachments.length > 0);
  const save = async () => {
    if (!canSave || update.isPending) return;
    if (!isDirty()) return onClose();
    setError(undefined);
    try {
      const saved = await update.mutateAsync({ job, comment: { id, content, mentions }, version: base.version });
      actions.finishEdit(saved === UNSENT ? { id, version: base.version + 1, content } : saved, content);
    } catch (failure) {
      const current = hasErrorCode(failure, 'STALE_VERSION') ? (failure.data as { current: JobComment }).current : undefined;
      // The text was already saved by an earlier attempt that lost its response.
      if (current?.content === content) return actions.finishEdit(current, content);
      if (current) actions.changeEdit(id, { base: current });
      setError(getEditErrorMessage(failure));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || suggestions.handleKeyDown(event)) return;
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className="mt-1">
      <UnsavedChangesPrompt isDirty={isDirty} saving={update.isPending} />
      <div className="relative">
        <TextAreaField
          ref={textarea}
          label="Edit comment"
          hideLabel
          rows={3}
          value={text}
          error={isTooLong ? `Comment must be at most ${formatCount(MAX_COMMENT_LENGTH)} characters` : error}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
          {...suggestions.fieldProps}
        />
        <MentionSuggestions suggestions={suggestions} className="top-full mt-1" />
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button tone="primary" busy={update.isPending} disabled={!canSave} onClick={() => void save()}>
          Save
        </Button>
        <Button tone="quiet" disabled={update.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function getEditErrorMessage(failure: unknown): string {
  if (hasErrorCode(failure, 'STALE_VERSION')) return CHANGED_ELSEWHERE_MESSAGE;
  return `Failed to edit comment: ${getFieldErrors(failure)['content'] ?? getErrorMessage(failure)}`;
}
