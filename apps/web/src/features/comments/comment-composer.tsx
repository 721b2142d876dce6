import { WRONG_FILE_TYPE } from '@callout/domain/files/attachment';
import { ATTACHMENT_TYPES, acceptText } from '@callout/domain/files/file-types';
import { Paperclip } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useRef } from 'react';
import { PendingFiles, RefusedFiles } from '../../lib/attachments/pending-files.tsx';
import { type DropState, useFileDrop } from '../../lib/attachments/use-file-drop.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { FieldError } from '../../ui/field.tsx';
import { FileInput } from '../../ui/file-button.tsx';
import { draftProblem, isEmptyDraft, type UnsentComments, type useUnsentComments } from './unsent-comments.ts';

const MIME_TYPES = ATTACHMENT_TYPES.map(({ mime }) => mime);
const HINT = 'Supported: Images, PDF, DOC, DOCX';

const ZONES: Record<DropState, string> = {
  idle: 'bg-surface ring-1 ring-field ring-inset focus-within:outline-2 focus-within:outline-accent',
  dragging: 'bg-surface outline-2 outline-dashed outline-line-strong',
  accepted: 'bg-accent-soft outline-2 outline-accent',
  rejected: 'bg-danger-soft outline-2 outline-danger',
};

const HINTS: Record<DropState, string> = {
  idle: HINT,
  dragging: `Drop files here. ${HINT}`,
  accepted: 'Drop to add the files',
  rejected: WRONG_FILE_TYPE,
};

interface CommentComposerProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  unsent: Pick<UnsentComments, 'draft' | 'refused'>;
  actions: ReturnType<typeof useUnsentComments>['actions'];
  /** Not on a phone. */
  canDrop: boolean;
  onSent: () => void;
}

export function CommentComposer({ ref: area, unsent: { draft, refused }, actions, canDrop, onSent }: CommentComposerProps) {
  const id = useId();
  const { state, zone } = useFileDrop(MIME_TYPES, actions.addFiles);
  const problem = draftProblem(draft);
  const addButton = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const canSend = !isEmptyDraft(draft) && problem === undefined;
  const send = () => {
    if (!canSend) return;
    actions.send();
    onSent();
    // The button is disabled now, and would take the focus along. A phone would open its keyboard.
    if (canDrop) area.current?.focus();
  };
  const removeFile = (fileId: string) => {
    actions.removeFile(fileId);
    addButton.current?.focus();
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const paste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // Cells of a spreadsheet come as a picture as well: then the text is meant.
    if (files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    actions.addFiles([...files]);
  };
  return (
    <div>
      <div {...zone} data-drop={state} className={classes('rounded-control transition-colors duration-120', ZONES[state])}>
        <textarea
          ref={area}
          aria-label="Comment"
          aria-describedby={problem === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          aria-invalid={problem === undefined ? undefined : true}
          placeholder={canDrop ? 'Write a comment or drop files here' : 'Write a comment'}
          rows={2}
          value={draft.content}
          onChange={({ target }) => actions.write(target.value)}
          onKeyDown={sendByKey}
          onPaste={paste}
          className="block field-sizing-content max-h-60 min-h-16 w-full resize-none bg-transparent px-3 pt-2.5 text-lg text-ink outline-none lg:text-base"
        />
        <div className="px-2">
          <PendingFiles files={draft.files} actions={{ ...actions, removeFile }} />
        </div>
        <div className="flex items-center justify-between gap-2 p-1.5">
          <FileInput ref={input} multiple accept={acceptText(ATTACHMENT_TYPES)} aria-label="Choose files" onFiles={actions.addFiles} />
          <IconButton ref={addButton} label="Add files" onClick={() => input.current?.click()}>
            <Paperclip aria-hidden="true" />
          </IconButton>
          <Button disabled={!canSend} onClick={send}>
            Comment
          </Button>
        </div>
      </div>
      <FieldError id={id} error={problem} />
      <RefusedFiles refused={refused} onDismiss={actions.dismissRefused} />
      <p id={`${id}-hint`} className={classes('mt-1.5 text-sm', state === 'rejected' ? 'text-danger-ink' : 'text-ink-3')}>
        {HINTS[state]}
      </p>
    </div>
  );
}
