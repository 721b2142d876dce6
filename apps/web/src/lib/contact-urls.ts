/** What a phone dials: digits and a leading plus. Null where nothing can be dialed. */
export function phoneLink(phone: string): string | null {
  const [number = ''] = phone.split(/ext|x|[,;#]/i);
  const dialed = number.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '');
  return /\d/.test(dialed) ? `tel:${dialed}` : null;
}

export function emailLink(email: string): string | null {
  return email.includes('@') ? `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}` : null;
}

/** A new message that is already written; mail programs want both line endings. */
export function messageLink(email: string, subject: string, body: string): string | null {
  const link = emailLink(email);
  const text = body.replaceAll('\n', '\r\n');
  return link && `${link}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}

export function directionsLink(address: string): string | null {
  const destination = address.trim();
  return destination === '' ? null : `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`;
}
