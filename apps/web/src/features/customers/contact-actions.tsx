import type { Customer } from '@callout/contract/customers';
import { Mail, MapPin, Phone } from 'lucide-react';
import { AnchorButton } from '../../ui/link-button.tsx';
import { directionsLink, emailLink, phoneLink } from './contact-links.ts';

/** What a person on the way to the customer does first, within the thumb's reach. */
export function ContactActions({ customer }: { customer: Pick<Customer, 'phone' | 'email' | 'address'> }) {
  const actions = [
    { label: 'Call', icon: Phone, href: phoneLink(customer.phone) },
    { label: 'Email', icon: Mail, href: emailLink(customer.email) },
    { label: 'Directions', icon: MapPin, href: directionsLink(customer.address), newTab: true },
  ];
  return (
    <div className="grid grid-cols-3 gap-2 sm:flex">
      {actions.map(
        ({ label, icon: Icon, href, newTab }) =>
          href && (
            <AnchorButton
              key={label}
              href={href}
              className="max-[22.5rem]:[&_svg]:hidden max-sm:px-2"
              {...(newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
            >
              <Icon aria-hidden="true" />
              {label}
            </AnchorButton>
          ),
      )}
    </div>
  );
}
