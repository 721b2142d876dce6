import Copy from 'lucide-react/icons/copy';
import { IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { CopyableText, CopyMessage } from './use-copy-to-clipboard.ts';

interface CopyableRowProps {
  label: string;
  copyable: CopyableText;
  onCopy: (copyable: CopyableText) => void;
}

export function CopyableRow({ label, copyable, onCopy }: CopyableRowProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-1.5">
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd id={copyable.id} className="col-start-1 text-lg font-medium [overflow-wrap:anywhere] tabular-nums">
        {copyable.text}
      </dd>
      <dd className="col-start-2 row-span-2 row-start-1 -mr-2 print:hidden">
        <IconButton label={`Copy ${copyable.name.toLowerCase()}`} onClick={() => onCopy(copyable)}>
          <Copy aria-hidden="true" />
        </IconButton>
      </dd>
    </div>
  );
}

/** Confirms that a text was copied. Set `isAboveBar` on pages with an action bar, so that the toast doesn't cover the bar. */
export function CopyToast({ message, isAboveBar = false }: { message: CopyMessage | null; isAboveBar?: boolean }) {
  return (
    <div
      role="status"
      className={classNames(
        'pointer-events-none fixed inset-x-0 bottom-6 z-30 flex justify-center px-[16px] print:hidden',
        isAboveBar && 'tall:absolute tall:bottom-full tall:mb-3 lg:fixed lg:bottom-6 lg:mb-0',
      )}
    >
      {message && (
        <p
          key={message.count}
          className="animate-rise rounded-control bg-ink px-4 py-2.5 text-center text-base font-medium text-canvas shadow-float"
        >
          {message.text}
        </p>
      )}
    </div>
  );
}
