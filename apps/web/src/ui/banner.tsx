import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type BannerTone = 'info' | 'warn' | 'danger';

const TONES: Record<BannerTone, { colors: string; icon: LucideIcon }> = {
  info: { colors: 'bg-info-soft text-info-ink', icon: Info },
  warn: { colors: 'bg-warn-soft text-warn-ink', icon: TriangleAlert },
  danger: { colors: 'bg-danger-soft text-danger-ink', icon: CircleAlert },
};

interface BannerProps extends Omit<ComponentProps<'div'>, 'role'> {
  tone?: BannerTone;
  children: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** Displays a message until its cause is resolved. */
export function Banner({ tone = 'info', children, actions, className, ...rest }: BannerProps) {
  const { colors, icon: Icon } = TONES[tone];
  return (
    <div
      {...rest}
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card px-4 py-3 text-base', colors, className)}
    >
      {/* Grouped so that the text of a narrow banner never wraps below the icon. */}
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
        <div className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{children}</div>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
