import { type ReactNode, useEffect, useState } from 'react';

const FIRST_RETRY_DELAY_MS = 2_000;
const MAX_RETRIES = 4;

interface RetryingImageProps {
  src: string;
  /** Shown until the image can be loaded. */
  fallback: ReactNode;
  className: string;
}

/** Decorative image that loads again after a lost connection: after a growing delay, and whenever the browser is back online. */
export function RetryingImage(props: RetryingImageProps) {
  return <ImageWithFallback key={props.src} {...props} />;
}

function ImageWithFallback({ src, fallback, className }: RetryingImageProps) {
  const [failures, setFailures] = useState(0);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!isBroken) return;
    const retry = () => setBroken(false);
    const retryFromStart = () => {
      setFailures(0);
      retry();
    };
    window.addEventListener('online', retryFromStart);
    const canRetry = navigator.onLine && failures <= MAX_RETRIES;
    const timer = canRetry ? setTimeout(retry, FIRST_RETRY_DELAY_MS * 2 ** (failures - 1)) : undefined;
    return () => {
      window.removeEventListener('online', retryFromStart);
      clearTimeout(timer);
    };
  }, [isBroken, failures]);
  const handleError = () => {
    setFailures(failures + 1);
    setBroken(true);
  };
  if (isBroken) return fallback;
  return <img src={src} alt="" loading="lazy" decoding="async" onError={handleError} className={className} />;
}
