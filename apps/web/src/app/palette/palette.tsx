import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useProfile } from '../../features/company/company.api.ts';
import { customersListOptions } from '../../features/customers/customers.api.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useMenu } from '../shell/use-menu.ts';
import { type PaletteGroup, type PaletteItem, paletteGroups } from './palette-items.ts';
import { usePaused } from './use-paused.ts';

const MOST_FOUND = 6;
const PAUSE_MS = 150;

/** One field to go anywhere, find anybody, make anything. Loaded when it first opens. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-60 bg-scrim transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label="Search or go to"
          className="fixed inset-x-3 top-3 z-60 mx-auto flex max-h-[min(32rem,80dvh)] max-w-xl flex-col overflow-clip rounded-card bg-raised shadow-float transition duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 md:top-[12vh]"
        >
          <PaletteBody onDone={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useFound(term: string) {
  const paused = usePaused(term.trim(), PAUSE_MS);
  const wanted = paused.length >= 2;
  const { data, isFetching } = useInfiniteQuery({
    ...customersListOptions({ search: paused, sort: 'name', order: 'asc' }),
    enabled: wanted,
    meta: { inlineErrors: true },
  });
  return { customers: wanted ? (data?.pages[0]?.rows.slice(0, MOST_FOUND) ?? []) : [], looking: wanted && isFetching };
}

function PaletteBody({ onDone }: { onDone: () => void }) {
  const router = useRouter();
  const menu = useMenu();
  const role = useProfile()?.role;
  const [term, setTerm] = useState('');
  const { customers, looking } = useFound(term);
  const groups = useMemo(() => paletteGroups({ term, menu, role, customers }), [term, menu, role, customers]);
  const open = (item: PaletteItem) => {
    onDone();
    router.history.push(item.href);
  };
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={term}
      onValueChange={setTerm}
      itemToStringValue={(item: PaletteItem) => item.label}
    >
      <div className="flex items-center gap-3 border-b px-4">
        {looking ? <Spinner className="text-ink-3" /> : <Search aria-hidden="true" className="size-4 text-ink-3" />}
        <Autocomplete.Input
          aria-label="Search or go to"
          placeholder="Find a customer, go to a page, create…"
          className="h-13 min-w-0 flex-1 bg-transparent text-lg outline-none"
        />
      </div>
      <Autocomplete.Empty className="px-4 text-base text-ink-3 not-empty:py-8">
        {looking ? 'Looking…' : 'Nothing found. Try another word.'}
      </Autocomplete.Empty>
      <Autocomplete.List className="overflow-y-auto overscroll-contain p-2 empty:hidden">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="pb-1">
            <Autocomplete.GroupLabel className="px-3 py-1.5 text-xs font-medium text-ink-3">{group.value}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <PaletteRow key={item.id} item={item} onOpen={open} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function PaletteRow({ item, onOpen }: { item: PaletteItem; onOpen: (item: PaletteItem) => void }) {
  const { icon: Icon } = item;
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onOpen(item)}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 text-base outline-none select-none data-highlighted:bg-accent-soft data-highlighted:text-accent-ink lg:min-h-9"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 opacity-70" />
      <span className="truncate font-medium">{item.label}</span>
      {item.detail && <span className="truncate text-sm opacity-75">{item.detail}</span>}
    </Autocomplete.Item>
  );
}
