/**
 * Determines which network addresses belong to this machine or to networks other than the public internet, and resolves
 * names without ever returning such an address.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { late } from '../../base/late.ts';

/** All reserved ranges in the special-purpose address registries: `address/bits`. */
const setAside4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Reserved ranges in `2000::/3`; addresses outside it are not public. */
const setAside6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved4 = late(() => blockListOf(setAside4, 'ipv4'));
const reserved6 = late(() => blockListOf(setAside6, 'ipv6'));
const global6 = late(() => blockListOf(['2000::/3'], 'ipv6'));
/** Ranges with an IPv4 address in their last 32 bits: mapped addresses, and those that a NAT64 gateway translates. */
const carriers = late(() => blockListOf(['::ffff:0:0/96', '64:ff9b::/96'], 'ipv6'));

function blockListOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * Returns the address in URL notation: lowercase, `::` for the longest run of zeros, no dots.
 */
export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%');
  if (isIP(bare) === 0) return false;
  const plain = isIPv6(bare) ? canonical6(bare) : bare;
  if (!isIPv6(plain)) return !reserved4().check(plain, 'ipv4') && !isOwn(plain);
  if (carriers().check(plain, 'ipv6')) return isPublicAddress(carriedAddress(plain));
  return global6().check(plain, 'ipv6') && !reserved6().check(plain, 'ipv6') && !isOwn(plain);
}

/** Returns the address in the notation of URLs: lower case, `::` for the longest run of zeros, no dots. */
function canonical6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** Returns the IPv4 address at the end of an IPv6 address. */
function carriedAddress(canonical: string): string {
  const [low = 0, high = 0] = canonical
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part === '' ? '0' : part, 16))
    .reverse();
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function isOwn(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return own.some((one) => (isIPv6(one.address) ? canonical6(one.address) : one.address) === address);
}

/** Resolves all addresses of a name, as the system does. */
export type Resolve = (
  name: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const systemResolve: Resolve = (name, options, done) => systemLookup(name, options, done);

/**
 * Returns a lookup function for connections. The connection uses the checked addresses; the name is not resolved again
 * in between.
 * @param isAllowed called for every address of the name; if it rejects one, the name is rejected
 * @param refusal returns the error for a rejected name
 */
export function createCheckedLookup(
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  refusal: (name: string) => Error,
): LookupFunction {
  return (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return done(error, []);
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) return done(refusal(name), []);
      if (options.all === true) return done(null, addresses);
      return done(null, first.address, first.family);
    });
  };
}
