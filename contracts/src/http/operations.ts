import type { Operation } from '../operation.ts';
import { createAddon, getAddon, listAddons, updateAddon } from './addons.ts';
import { getAttendee, listAttendees } from './attendees.ts';
import { getAvailability } from './availability.ts';
import {
  createBundle,
  getBundle,
  listBundles,
  replaceBundleItems,
  updateBundle,
} from './bundles.ts';
import { getChangesHead, listChanges } from './changes.ts';
import { createCheckinBatch } from './checkin-batch.ts';
import {
  createCheckin,
  getCheckin,
  getCheckinSummary,
  listCheckins,
  undoCheckin,
} from './checkins.ts';
import { assignSeat, cancelOrder, confirmOrder, placeOrder, setOrderBilling } from './checkout.ts';
import { assignClaimedSeat, createClaimLink, getClaim, revokeClaimLink } from './claims.ts';
import { getDevice, pairDevice, reportDevice } from './devices.ts';
import { archiveEvent, createEvent, getEvent, listEvents, updateEvent } from './events.ts';
import { getExhibitor, listExhibitors } from './exhibitors.ts';
import { getForm } from './forms.ts';
import { changeOrder } from './order-changes.ts';
import { getOrder, listOrders } from './orders.ts';
import {
  getSession,
  getSpeaker,
  getVenue,
  listSessions,
  listSpeakers,
  listVenues,
} from './program.ts';
import {
  createRedemptionCodes,
  disableRedemptionCode,
  getRedemptionCode,
  listRedemptionCodes,
  lookupRedemptionCode,
} from './redemption-codes.ts';
import { getRefundPolicy } from './refund-policies.ts';
import {
  approveRegistration,
  cancelRegistration,
  createRegistration,
  getRegistration,
  getRegistrationBadge,
  getRegistrationPerks,
  listRegistrations,
  rejectRegistration,
  updateRegistration,
} from './registrations.ts';
import { getRoster } from './roster.ts';
import {
  createTicketType,
  getTicketType,
  listTicketTypes,
  updateTicketType,
} from './ticket-types.ts';
import {
  createWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayChanges,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './webhook-endpoints.ts';

/** The operations of the API that services carry out. The gateway forwards them. */
export const forwardedOperations: readonly Operation[] = [
  listEvents,
  createEvent,
  getEvent,
  updateEvent,
  archiveEvent,
  getForm,
  getRefundPolicy,
  listTicketTypes,
  createTicketType,
  getTicketType,
  updateTicketType,
  getAvailability,
  listRegistrations,
  createRegistration,
  getRegistration,
  updateRegistration,
  approveRegistration,
  rejectRegistration,
  cancelRegistration,
  getRegistrationPerks,
  getRegistrationBadge,
  listRedemptionCodes,
  createRedemptionCodes,
  lookupRedemptionCode,
  getRedemptionCode,
  disableRedemptionCode,
  listAddons,
  createAddon,
  getAddon,
  updateAddon,
  listBundles,
  createBundle,
  getBundle,
  updateBundle,
  replaceBundleItems,
  listOrders,
  placeOrder,
  getOrder,
  confirmOrder,
  setOrderBilling,
  assignSeat,
  createClaimLink,
  revokeClaimLink,
  cancelOrder,
  changeOrder,
  listCheckins,
  createCheckin,
  createCheckinBatch,
  getRoster,
  reportDevice,
  getCheckinSummary,
  getCheckin,
  undoCheckin,
  listSessions,
  getSession,
  listSpeakers,
  getSpeaker,
  listVenues,
  getVenue,
  listAttendees,
  getAttendee,
  listExhibitors,
  getExhibitor,
  listChanges,
  getChangesHead,
  listWebhookEndpoints,
  createWebhookEndpoint,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  replayChanges,
  listWebhookDeliveries,
  getWebhookDelivery,
];

/**
 * The operations on credentials of devices. The gateway carries them out itself, because it has the
 * credentials.
 */
export const deviceOperations: readonly Operation[] = [pairDevice, getDevice];

/** The operations that need no key: the gateway forwards them with the token of a claim link. */
export const claimOperations: readonly Operation[] = [getClaim, assignClaimedSeat];

/** Every operation of the API: its table of contents. */
export const apiOperations: readonly Operation[] = [
  ...forwardedOperations,
  ...deviceOperations,
  ...claimOperations,
];
