import { subjectTypes } from '@event-api/contracts/http/checkins';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * The number of check-ins at a door. It is divided into parts, so that concurrent scans at one door
 * do not wait for each other: a connection adds to the part of its process number. A trigger of
 * `checkin` adds to it, and undoing a check-in subtracts.
 */
export const CheckinCount = defineEntity({
  name: 'CheckinCount',
  tableName: 'checkin_count',
  properties: {
    eventId: p.text().primary(),
    subjectType: p.enum(subjectTypes).primary(),
    subjectId: p.text().primary(),
    part: p.smallint().primary(),
    businessUnitId: p.text(),
    checkedIn: p.integer(),
    overruled: p.integer().default(0),
    lastCheckinAt: p.datetime(3),
  },
});

/**
 * The numbers of scans at a door that are no check-ins, in the same parts. They have a table of
 * their own, which a batch writes after `checkin_count`, so that two batches cannot deadlock.
 */
export const ScanCount = defineEntity({
  name: 'ScanCount',
  tableName: 'scan_count',
  properties: {
    eventId: p.text().primary(),
    subjectType: p.enum(subjectTypes).primary(),
    subjectId: p.text().primary(),
    part: p.smallint().primary(),
    businessUnitId: p.text(),
    contested: p.integer(),
    refused: p.integer(),
  },
});
