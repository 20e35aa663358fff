/** How many events and deliveries a response lists. */

export const EVENTS_MAX = 500
export const EVENTS_USUAL = 100
export const DELIVERIES_MAX = 200
export const DELIVERIES_USUAL = 50
