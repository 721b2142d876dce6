import { listedTimeZone, timeZoneOptions } from '@callout/domain/time/time-zones';
import { ChevronDown, Globe } from 'lucide-react';
import { browserTimeZone, chooseTimeZone, timeZoneText, useOwnTimeZone, useShownTimeZone } from '../../lib/time-zone.ts';
import { classes } from '../../ui/classes.ts';
import { useCompanyTimeZone } from '../company/company.api.ts';

const labelOf = (zone: string) => listedTimeZone(zone)?.label ?? zone;

/** Names the zone of everything that is shown here, and lets a person choose their own. */
export function ZoneControl({ className }: { className?: string }) {
  const companyZone = useCompanyTimeZone();
  const ownZone = useOwnTimeZone();
  const shown = useShownTimeZone();
  const isOther = shown !== companyZone;
  const listed = new Map([...timeZoneOptions(browserTimeZone()), ...timeZoneOptions(ownZone)].map(({ zone, label }) => [zone, label]));
  return (
    <div
      className={classes(
        'relative inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-base focus-within:outline-2 focus-within:outline-accent hover:bg-sunken lg:min-h-9',
        isOther ? 'font-medium text-warn-ink' : 'text-ink-3',
        className,
      )}
    >
      <Globe aria-hidden="true" className="size-4 shrink-0 max-md:hidden" />
      <span className="truncate">{timeZoneText(shown)}</span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
      <select
        aria-label="Time zone"
        title={isOther ? `The company's time zone is ${labelOf(companyZone)}` : 'Time zone'}
        className="absolute inset-0 size-full cursor-pointer appearance-none text-lg opacity-0"
        value={ownZone ?? ''}
        onChange={({ target }) => chooseTimeZone(target.value || null)}
      >
        <option value="">{`Company time zone (${labelOf(companyZone)})`}</option>
        {[...listed].map(([zone, label]) => (
          <option key={zone} value={zone}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
