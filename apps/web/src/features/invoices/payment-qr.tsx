import type { encodeQR as encodeQRFunction } from 'qr';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLazyModule } from '../../ui/use-lazy-module.ts';

/** Width, in modules, of the empty border that QR readers need. */
const QUIET_ZONE_MODULES = 4;
const QR_SIZE_PX = 300;

/** Draws the code in black on white even in dark mode, because many QR readers accept nothing else. */
export function PaymentQr({ link }: { link: string }) {
  const qrModule = useLazyModule(() => import('qr'), true);
  const code = qrModule && encodeQrPath(qrModule.encodeQR, link);
  if (!code)
    return qrModule ? <p className="py-4 text-center text-base text-ink-2">This link is too long for a QR code.</p> : <QrSkeleton />;
  return (
    <svg
      role="img"
      aria-label="QR code of the payment link"
      width={QR_SIZE_PX}
      height={QR_SIZE_PX}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="mx-auto block h-auto max-w-full rounded-control"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

function QrSkeleton() {
  return (
    <div role="status" className="mx-auto size-75 max-w-full">
      <span className="sr-only">Loading the QR code</span>
      <Skeleton className="size-full" />
    </div>
  );
}

/** Encodes with the highest error correction. Returns undefined if `text` is too long for a QR code. */
function encodeQrPath(encodeQR: typeof encodeQRFunction, text: string): { size: number; path: string } | undefined {
  try {
    const rows = encodeQR(text, 'raw', { ecc: 'high', border: QUIET_ZONE_MODULES });
    return { size: rows.length, path: rows.map(buildRowPath).join('') };
  } catch {
    return undefined;
  }
}

/** Draws one rectangle per run of dark modules, because separate squares would show hairlines between them. */
function buildRowPath(row: readonly boolean[], y: number): string {
  return row.map((isDark, x) => (isDark && !row[x - 1] ? `M${x} ${y}h${getRunLength(row, x)}v1h-${getRunLength(row, x)}z` : '')).join('');
}

function getRunLength(row: readonly boolean[], start: number): number {
  const end = row.indexOf(false, start);
  return (end === -1 ? row.length : end) - start;
}
