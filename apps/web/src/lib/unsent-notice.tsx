import { CloudOff } from 'lucide-react';
import { Banner } from '../ui/banner.tsx';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { toError } from './commands/outbox.ts';
import type { QueuedCommand } from './commands/stored-command.ts';
import { getErrorMessage, getFieldErrors } from './error-messages.ts';

interface UnsentNoticeProps {
  text?: string;
  iconOnly?: boolean;
  className?: string | undefined;
}

/** Says that a change is waiting for a connection. */
export function UnsentNotice({ text = 'Not sent yet', iconOnly = false, className }: UnsentNoticeProps) {
  return (
    <span title={text} className={classNames('flex items-center gap-1.5 font-medium text-warn-ink', className)}>
      <CloudOff aria-hidden="true" className="size-4 shrink-0" />
      <span className={iconOnly ? 'sr-only' : 'truncate'}>{text}</span>
    </span>
  );
}

interface UnsentRecordBannerProps {
  /** The command that creates the record. */
  creation: QueuedCommand;
  noun: string;
}

/** Says on the page of a new record that the server doesn't have it yet, or why the server has refused it. */
export function UnsentRecordBanner({ creation: { refusal }, noun }: UnsentRecordBannerProps) {
  if (!refusal) {
    return <Banner className="mb-4">{`This ${noun} has not been sent yet. It is saved on this device until you're back online.`}</Banner>;
  }
  return (
    <Banner tone="danger" className="mb-4" actions={<LinkButton to="/unsent">Unsent changes</LinkButton>}>
      {`This ${noun} was not accepted: ${getRefusalReason(refusal)}`}
    </Banner>
  );
}

/** Returns why the server has refused a command, such as its first invalid field. */
export function getRefusalReason(refusal: NonNullable<QueuedCommand['refusal']>): string {
  const error = toError(refusal);
  return Object.values(getFieldErrors(error))[0] ?? getErrorMessage(error);
}
