// Amounts are decimal strings on the wire and whole minor units here: no floating point touches money.

/** Minor units of a decimal string: "12.50" is 1250n where there are two places. */
export function minor(amount: string, places = placesOf(amount)): bigint {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount.trim());
  if (!found) throw new RangeError(`${amount} is not an amount`);
  const [, sign, whole = '0', fraction = ''] = found;
  if (fraction.length > places) throw new RangeError(`${amount} has more than ${places} decimal places`);
  const units = BigInt(whole + fraction.padEnd(places, '0'));
  return sign ? -units : units;
}

/** A decimal string of minor units: 1250n is "12.50". */
export function decimal(units: bigint, places = 2): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** How many decimal places an amount has. */
export function placesOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}

/** The sum of amounts, with as many decimal places as the longest of them, or as are asked for. */
export function total(amounts: string[], places = Math.max(0, ...amounts.map(placesOf))): string {
  return decimal(amounts.reduce((sum, each) => sum + minor(each, places), 0n), places);
}

/** An amount for people: "1,250.00", and "1,250" where nothing is behind the point; "+" for a gain where that is asked. */
export function shown(amount: string, options: { sign?: boolean } = {}): string {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const tail = /^0*$/.test(fraction) ? '' : `.${fraction}`;
  const zero = /^[0.]*$/.test(whole + fraction);
  const sign = zero ? '' : amount.startsWith('-') ? '\u2212' : options.sign ? '+' : '';
  return `${sign}${grouped}${tail}`;
}
