/** A time until which a person may want to hear nothing of a request. */
interface SnoozeTime {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

const hourMs = 60 * 60 * 1000;
const morningHour = 9;

/** The next times that people choose, the nearest first; those of days in the time zone of the system. @param now epoch milliseconds */
export function snoozeTimes(now: number): readonly SnoozeTime[] {
  const today = new Date(now).getDay();
  const daysToMonday = (8 - today) % 7 || 7;
  return [
    { text: 'For an hour', until: now + hourMs },
    { text: 'For four hours', until: now + 4 * hourMs },
    { text: 'Until tomorrow', until: morningAfter(now, 1) },
    { text: 'Until Monday', until: morningAfter(now, daysToMonday) },
  ];
}

/** By the calendar: a day is not always of 24 hours. */
function morningAfter(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, morningHour).getTime();
}
