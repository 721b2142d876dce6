import { WRONG_FILE_TYPE_ERROR } from '@callout/domain/files/attachment';
import { ATTACHMENT_TYPES, buildAcceptAttribute } from '@callout/domain/files/file-types';
import { Paperclip } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { PendingFiles, RejectedFiles } from '../../lib/attachments/pending-files.tsx';
import { type FileDropState, useFileDrop } from '../../lib/attachments/use-file-drop.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/field.tsx';
import { FileInput } from '../../ui/file-button.tsx';
import { type CommentDraft, type CommentDraftActions, type CommentDrafts, findDraftError, isEmptyDraft } from './comment-drafts.ts';
import { MentionSuggestions, useMentionSuggestions } from './mention-suggestions.tsx';

const ACCEPTED_MIME_TYPES = ATTACHMENT_TYPES.map(({ mime }) => mime);
const ACCEPT_ATTRIBUTE = buildAcceptAttribute(ATTACHMENT_TYPES);
const SUPPORTED_TYPES_HINT = 'Supported: Images, PDF, DOC, DOCX';

const DROP_ZONE_CLASSES: Record<FileDropState, string> = {
  idle: 'bg-surface ring-1 ring-field ring-inset focus-within:outline-2 focus-within:outline-accent',
  dragging: 'bg-surface outline-2 outline-dashed outline-line-strong',
  accepted: 'bg-accent-soft outline-2 outline-accent',
  rejected: 'bg-danger-soft outline-2 outline-danger',
};

const DROP_HINTS: Record<FileDropState, string> = {
  idle: SUPPORTED_TYPES_HINT,
  dragging: `Drop files here. ${SUPPORTED_TYPES_HINT}`,
  accepted: 'Drop to add files',
  rejected: WRONG_FILE_TYPE_ERROR,
};

interface CommentComposerProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  drafts: Pick<CommentDrafts, 'draft' | 'rejected'>;
  actions: CommentDraftActions;
  /** False on phones, where users can't drag files into the composer. */
  canDrop: boolean;
  onPost: (draft: CommentDraft) => void;
  /** True until the draft is stored on this device as a comment. */
  isPosting: boolean;
}

export function CommentComposer({ ref: textarea, drafts: { draft, rejected }, actions, canDrop, onPost, isPosting }: CommentComposerProps) {
  const id = useId();
  const { state, zone } = useFileDrop(ACCEPTED_MIME_TYPES, actions.addFiles);
  const problem = findDraftError(draft);
  const addButton = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isPreparing, setPreparing] = useState(false);
  const canPost = !isEmptyDraft(draft) && problem === undefined;
  const isBusy = isPreparing || isPosting;
  const post = async () => {
    if (!canPost || isBusy) return;
    setPreparing(true);
    const prepared = await actions.whenPrepared();
    setPreparing(false);
    if (!isEmptyDraft(prepared) && findDraftError(prepared) === undefined) onPost(prepared);
    // An empty draft disables the button, which then loses the focus. On phones, don't focus the field, because that would open the keyboard.
    if (canDrop) textarea.current?.focus();
  };
  const removeFile = (fileId: string) => {
    actions.removeFile(fileId);
    addButton.current?.focus();
  };
  const suggestions = useMentionSuggestions({ textarea, text: draft.content, onChange: actions.setContent, onPick: actions.addMention });
  const handleKeyDown = (event: KeyboardEvent) => {
    if (suggestions.handleKeyDown(event)) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void post();
  };
  const addPastedFiles = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // Spreadsheets copy cells both as text and as an image. Prefer the text.
    if (files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    actions.addFiles([...files]);
  };
  return (
    <div className="relative">
      <MentionSuggestions suggestions={suggestions} className="bottom-full mb-1" />
      <div {...zone} data-drop={state} className={classNames('rounded-control transition-colors duration-120', DROP_ZONE_CLASSES[state])}>
        <textarea
          ref={textarea}
          aria-label="Comment"
          aria-describedby={problem === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          aria-invalid={problem === undefined ? undefined : true}
          placeholder={canDrop ? 'Write a comment or drop files here' : 'Write a comment'}
          rows={2}
          value={draft.content}
          readOnly={isBusy}
          onChange={({ target }) => actions.setContent(target.value)}
          onKeyDown={handleKeyDown}
          {...suggestions.fieldProps}
          onPaste={addPastedFiles}
          className="block field-sizing-content max-h-60 min-h-16 w-full resize-none bg-transparent px-3 pt-2.5 text-lg text-ink outline-none lg:text-base"
        />
        <div className="px-2">
          <PendingFiles files={draft.files} actions={{ ...actions, removeFile }} />
        </div>
        <div className="flex items-center justify-between gap-2 p-1.5">
          <FileInput ref={input} multiple accept={ACCEPT_ATTRIBUTE} aria-label="Choose files" onFiles={actions.addFiles} />
          <IconButton ref={addButton} label="Add files" onClick={() => input.current?.click()}>
            <Paperclip aria-hidden="true" />
          </IconButton>
          <Button busy={isBusy} disabled={!canPost} onClick={() => void post()}>
            Comment
          </Button>
        </div>
      </div>
      <FieldError id={id} error={problem} />
      <RejectedFiles rejected={rejected} onDismiss={actions.dismissRejected} />
      <p id={`${id}-hint`} className={classNames('mt-1.5 text-sm', state === 'rejected' ? 'text-danger-ink' : 'text-ink-3')}>
        {DROP_HINTS[state]}
      </p>
    </div>
  );
}
