/** Builds a tel URL without formatting or an extension. Returns null if there is nothing to dial. */
export function buildPhoneUrl(phone: string): string | null {
  const [number = ''] = phone.split(/ext|x|[,;#]/i);
  const dialed = number.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '');
  return /\d/.test(dialed) ? `tel:${dialed}` : null;
}

export function buildMailtoUrl(email: string): string | null {
  return email.includes('@') ? `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}` : null;
}

/** Builds a mailto URL with a subject and body. Line breaks become CRLF, which email apps expect. */
export function buildPrefilledMailtoUrl(email: string, subject: string, body: string): string | null {
  const link = buildMailtoUrl(email);
  const text = body.replaceAll('\n', '\r\n');
  return link && `${link}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}

export function buildDirectionsUrl(address: string): string | null {
  const destination = address.trim();
  return destination === '' ? null : `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`;
}
