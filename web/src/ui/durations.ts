/** Formats times, durations and numbers. Pure. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (number: number): string => String(number).padStart(2, '0');

/** Formats a completed duration: `0.02 s`, `12.4 s`, `4 min 12 s`, `2 h 14 min`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${(ms / SECOND).toFixed(2)} s`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
}

/** Formats a running clock: `0:06`, `4:12`, `2:14:07`. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Formats how long ago something happened: `now`, `4 min`, `2 h`, `3 days`. */
export function age(ms: number): string {
  if (ms < MINUTE) return 'now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

/** Formats a time of day in this browser's time zone: `14:02:37`. */
export function timeOfDay(iso: string): string {
  const time = new Date(iso);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** Formats a number: `1,204,265`. */
export function count(number: number): string {
  return String(Math.trunc(number)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a number with its noun: `1 line`, `12 lines`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** Formats a size: `412 B`, `31 kB`, `6.2 MB`. */
export function bytes(number: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, number)) / 3));
  const value = number / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
