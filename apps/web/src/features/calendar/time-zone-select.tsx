import { findTimeZoneOption, formatTimeZone, getTimeZoneOptions } from '@callout/domain/time/time-zones';
import { ChevronDown, Globe } from 'lucide-react';
import { getBrowserTimeZone, setMyTimeZone, useDisplayTimeZone, useMyTimeZone } from '../../lib/time-zone.ts';
import { classNames } from '../../ui/class-names.ts';
import { useCompanyTimeZone } from '../company/company.api.ts';

const formatZoneLabel = (zone: string) => findTimeZoneOption(zone)?.label ?? zone;

/** Shows the calendar's time zone and lets users choose a different zone for themselves. */
export function TimeZoneSelect({ className }: { className?: string }) {
  const companyZone = useCompanyTimeZone();
  const myZone = useMyTimeZone();
  const displayZone = useDisplayTimeZone();
  const isOtherZone = displayZone !== companyZone;
  const options = new Map(
    [...getTimeZoneOptions(getBrowserTimeZone()), ...getTimeZoneOptions(myZone)].map(({ zone, label }) => [zone, label]),
  );
  return (
    <div
      className={classNames(
        'relative inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-base focus-within:outline-2 focus-within:outline-accent hover:bg-sunken lg:min-h-9',
        isOtherZone ? 'font-medium text-warn-ink' : 'text-ink-3',
        className,
      )}
    >
      <Globe aria-hidden="true" className="size-4 shrink-0 max-md:hidden" />
      <span className="truncate">{formatTimeZone(displayZone)}</span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
      <select
        aria-label="Time zone"
        title={isOtherZone ? `The company's time zone is ${formatZoneLabel(companyZone)}` : 'Time zone'}
        className="absolute inset-0 size-full cursor-pointer appearance-none text-lg opacity-0"
        value={myZone ?? ''}
        onChange={({ target }) => setMyTimeZone(target.value || null)}
      >
        <option value="">{`Company time zone (${formatZoneLabel(companyZone)})`}</option>
        {[...options].map(([zone, label]) => (
          <option key={zone} value={zone}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
