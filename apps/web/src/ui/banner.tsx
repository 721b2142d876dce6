import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

type BannerTone = 'info' | 'warn' | 'danger';

const TONES: Record<BannerTone, { look: string; icon: LucideIcon }> = {
  info: { look: 'bg-info-soft text-info-ink', icon: Info },
  warn: { look: 'bg-warn-soft text-warn-ink', icon: TriangleAlert },
  danger: { look: 'bg-danger-soft text-danger-ink', icon: CircleAlert },
};

interface BannerProps extends Omit<ComponentProps<'div'>, 'role'> {
  tone?: BannerTone;
  children: ReactNode;
  actions?: ReactNode;
  className?: string;
}

/** A sentence that stays until its cause is gone. */
export function Banner({ tone = 'info', children, actions, className, ...rest }: BannerProps) {
  const { look, icon: Icon } = TONES[tone];
  return (
    <div
      {...rest}
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classes('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card px-4 py-3 text-base', look, className)}
    >
      {/* Together, so that the icon does not stand alone above the sentence where the banner is narrow. */}
      <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
        <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" />
        <div className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{children}</div>
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
