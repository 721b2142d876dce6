import { Search, X } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { CONTROL_CLASSES } from './field.tsx';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> {
  label: string;
  value: string;
  onChange: (term: string) => void;
}

/** The screen's search field. Pressing '/' focuses it (through `data-search`); Escape and the clear button empty it. */
export function SearchField({ label, value, onChange, onKeyDown, className, ...input }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    field.current?.focus();
  };
  return (
    <div className={classNames('relative min-w-0', className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4.5 text-ink-3" />
      <input
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        {...input}
        ref={field}
        type="search"
        data-search=""
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          onKeyDown?.(event);
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault();
            clear();
          }
        }}
        className={classNames(CONTROL_CLASSES, 'h-11 appearance-none pr-11 pl-10 lg:h-9 [&::-webkit-search-cancel-button]:hidden')}
      />
      {value !== '' && (
        <IconButton label="Clear search" onClick={clear} className="absolute inset-y-0 right-0">
          <X aria-hidden="true" />
        </IconButton>
      )}
    </div>
  );
}
