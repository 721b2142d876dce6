import { Mail, MapPin, Phone } from 'lucide-react';
import { AnchorButton } from '../ui/link-button.tsx';
import { buildDirectionsUrl, buildMailtoUrl, buildPhoneUrl } from './contact-urls.ts';

const NEW_TAB_PROPS = { target: '_blank', rel: 'noopener noreferrer' };

interface Contact {
  phone: string;
  email: string;
  address: string;
}

/** Buttons to call, email or get directions, the first things people need on the way to a customer. */
export function ContactActions({ contact: { phone, email, address } }: { contact: Contact }) {
  const actions = [
    { label: 'Call', icon: Phone, href: buildPhoneUrl(phone), tab: {} },
    { label: 'Email', icon: Mail, href: buildMailtoUrl(email), tab: {} },
    { label: 'Directions', icon: MapPin, href: buildDirectionsUrl(address), tab: NEW_TAB_PROPS },
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

const URL_BUILDERS = { phone: buildPhoneUrl, email: buildMailtoUrl, address: buildDirectionsUrl };

/** Links a phone number, email address or street address to the matching app. Renders plain text if no link can be built. */
export function ContactLink({ kind, text }: { kind: keyof typeof URL_BUILDERS; text: string }) {
  const href = URL_BUILDERS[kind](text);
  if (href === null) return text;
  return (
    <a
      href={href}
      className="-my-2.5 inline-block py-2.5 font-medium text-accent-ink tabular-nums hover:underline lg:-my-1 lg:py-1"
      {...(kind === 'address' ? NEW_TAB_PROPS : {})}
    >
      {text}
    </a>
  );
}
