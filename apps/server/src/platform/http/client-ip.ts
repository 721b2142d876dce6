import { BlockList, isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';

/** Whether a proxy at this address, so many hops away from us, is believed when it says whom it forwards for. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Our own, because fastify trusts nobody when it is given a number. */
export function createProxyTrust(trusted: Config['trustProxy']): ProxyTrust {
  if (typeof trusted === 'number') return (_address, hop) => hop < trusted;
  const networks = new BlockList();
  for (const network of trusted) {
    const [address = '', prefix] = network.split('/');
    networks.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && networks.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The network address a request comes from. What a proxy forwards may be no address at all: then it is the proxy's. */
export function clientIp({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
}
