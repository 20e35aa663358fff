/** A body of each kind of webhook, for the OpenAPI file; tests compare them with the vectors. */

export const ALERT_EXAMPLE = {
  version: 1,
  id: 'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8',
  type: 'flip_cross',
  symbol: 'SPX',
  level: { kind: 'flip', value: 5998.76 },
  price: 5994.1,
  book: 'measured',
  ts: '2026-11-25T10:37:03-05:00',
  day: '2026-11-25',
  minute: '10:37',
  levels: { flip: 5998.76, call_wall: 6050, put_wall: 5950, put_support: 5950 },
  text: 'SPX 5,994.10 is below the measured flip 5,998.76 at 10:37 ET.',
  direction: 'below',
  flip_lo: 5991.2,
  flip_hi: 6006.4,
  within_bar: true,
}

export const POSITION_EXAMPLE = {
  version: 1,
  id: 'evt_cb564a3becdcf17553970d359ea4f2c7',
  type: 'label_changed',
  ts: '2026-11-25T10:12:04-05:00',
  day: '2026-11-25',
  minute: '10:12',
  position_id: 'p_4fQ8sK2mZx0T',
  kind: 'condor',
  entry: '10:30',
  from: 'TRADE',
  label: 'CAUTION',
  counts: { on: 3, off: 11, unknown: 1 },
  on: ['flip_near', 'gap', 'skew'],
  shorts: [
    { leg: 'sp', points: 41.2, expected_moves: 1.31 },
    { leg: 'sc', points: 38.8, expected_moves: 1.23 },
  ],
  text: 'Condor p_4fQ8sK2mZx0T for 10:30 is CAUTION, was TRADE: 3 conditions are on at 10:12 ET.',
}
