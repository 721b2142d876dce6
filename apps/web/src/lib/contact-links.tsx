import { Mail, MapPin, Phone } from 'lucide-react';
import { AnchorButton } from '../ui/link-button.tsx';
import { directionsLink, emailLink, phoneLink } from './contact-urls.ts';

const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' };

interface Contact {
  phone: string;
  email: string;
  address: string;
}

/** What a person on the way to somebody does first, within the thumb's reach. */
export function ContactActions({ contact: { phone, email, address } }: { contact: Contact }) {
  const actions = [
    { label: 'Call', icon: Phone, href: phoneLink(phone), tab: {} },
    { label: 'Email', icon: Mail, href: emailLink(email), tab: {} },
    { label: 'Directions', icon: MapPin, href: directionsLink(address), tab: NEW_TAB },
  ];
  return (
    <div className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2 sm:flex">
      {actions.map(
        ({ label, icon: Icon, href, tab }) =>
          href && (
            <AnchorButton key={label} href={href} className="max-[22.5rem]:[&_svg]:hidden max-sm:px-2" {...tab}>
              <Icon aria-hidden="true" />
              {label}
            </AnchorButton>
          ),
      )}
    </div>
  );
}

const LINKS = { phone: phoneLink, email: emailLink, address: directionsLink };

/** A number that dials, an email that opens a new message, an address on the map; plain text where that is not possible. */
export function ContactLink({ kind, text }: { kind: keyof typeof LINKS; text: string }) {
  const href = LINKS[kind](text);
  if (href === null) return text;
  return (
    <a
      href={href}
      className="-my-2.5 inline-block py-2.5 font-medium text-accent-ink tabular-nums hover:underline lg:-my-1 lg:py-1"
      {...(kind === 'address' ? NEW_TAB : {})}
    >
      {text}
    </a>
  );
}
