import { findMentionAtCursor, type Mention, matchesMentionTerm } from '@callout/domain/comments/mention';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useMe } from '../company/company.api.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';

const MAX_SUGGESTIONS = 6;

interface MentionSuggestionsOptions {
  textarea: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onChange: (text: string) => void;
  onPick: (mention: Mention) => void;
}

/** Offers colleagues while the user types '@' and the beginning of a name. The arrow keys move, Enter and Tab pick, Escape closes. */
export function useMentionSuggestions({ textarea, text, onChange, onPick }: MentionSuggestionsOptions) {
  const id = useId();
  const [cursor, setCursor] = useState<number | null>(null);
  const [activeIndex, setActiveIndex] = useState(0);
  const myId = useMe().user.staff_id;
  const typed = cursor === null ? null : findMentionAtCursor(text, cursor);
  const { data: staff = [] } = useQuery({ ...staffNamesQueryOptions, enabled: typed !== null });
  const people =
    typed === null
      ? []
      : staff.filter((person) => person.id !== myId && matchesMentionTerm(person.name, typed.term)).slice(0, MAX_SUGGESTIONS);
  const isOpen = people.length > 0;
  const active = people[Math.min(activeIndex, people.length - 1)];

  const followCursor = () => {
    setCursor(textarea.current?.selectionEnd ?? null);
    setActiveIndex(0);
  };
  const pick = ({ id: staff_id, name }: { id: string; name: string }) => {
    if (!typed || cursor === null) return;
    const inserted = `${text.slice(0, typed.start)}@${name} `;
    // The browser moves the cursor to the end of a changed text, so set it after the change.
    flushSync(() => {
      onPick({ staff_id, name });
      onChange(inserted + text.slice(cursor).replace(/^ /, ''));
      setCursor(null);
    });
    textarea.current?.focus();
    textarea.current?.setSelectionRange(inserted.length, inserted.length);
  };
  /** Returns true if the key was meant for the list. */
  const handleKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || !active || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActiveIndex((people.indexOf(active) + step + people.length) % people.length);
    else if (event.key === 'Enter' || event.key === 'Tab') pick(active);
    else if (event.key === 'Escape') setCursor(null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const fieldProps = {
    onInput: followCursor,
    onClick: followCursor,
    onBlur: () => setCursor(null),
    'aria-autocomplete': 'list' as const,
    'aria-controls': isOpen ? id : undefined,
    'aria-activedescendant': isOpen && active ? `${id}-${active.id}` : undefined,
  };
  return { id, people, active, pick, handleKeyDown, fieldProps };
}

interface MentionSuggestionsProps {
  suggestions: ReturnType<typeof useMentionSuggestions>;
  className: string;
}

export function MentionSuggestions({ suggestions: { id, people, active, pick }, className }: MentionSuggestionsProps) {
  if (people.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label="People to mention"
      className={classNames('absolute left-0 z-20 w-64 max-w-full rounded-card bg-raised p-1.5 shadow-float', className)}
    >
      {people.map((person) => (
        <button
          key={person.id}
          type="button"
          id={`${id}-${person.id}`}
          role="option"
          aria-selected={person === active}
          tabIndex={-1}
          // Keeps the focus, and on phones the keyboard, in the text.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(person)}
          className={classNames(
            'flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 text-left text-base hover:bg-sunken lg:min-h-9',
            person === active && 'bg-sunken',
          )}
        >
          <Avatar name={person.name} src={person.avatar_url} color={person.hex_code} className="size-6 text-xs" />
          <span className="min-w-0 truncate">{person.name}</span>
        </button>
      ))}
    </div>
  );
}
