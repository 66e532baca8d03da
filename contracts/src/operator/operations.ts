import type { Operation } from '../operation.ts';
import { projectingServices, publisherNames, schemas } from '../topology.ts';
import { listAudit } from './audit.ts';
import { findChanges } from './changes.ts';
import { countCheckinsPerMinute } from './checkin-rates.ts';
import { explainCheckin } from './checkins.ts';
import { disableCodeBatch, listCodeBatches, listCodesOfBatch, updateCode } from './codes.ts';
import { listConflicts } from './conflicts.ts';
import { listDeviceActivity, listDevices, pairDevice, revokeDevice } from './devices.ts';
import { getDoorRules, setDoorRules } from './door-rules.ts';
import { cancelEvent, getEventCancellation, previewEventCancel } from './event-cancellation.ts';
import { getEventLimits, setEventLimits } from './event-limits.ts';
import { listEvents, setEventFeatures } from './events.ts';
import {
  addMember,
  allocateBooth,
  confirmExhibitor,
  createExhibitor,
  declineExhibitor,
  releaseBooth,
  removeMember,
  updateExhibitor,
} from './exhibitors.ts';
import { getForm, setForm } from './forms.ts';
import { createKey, listKeys, revokeKey, updateKey } from './keys.ts';
import { exportLedger, listLedgerDigests, readTrialBalance } from './ledger.ts';
import {
  inviteMember,
  inviteOperator,
  listAdministrators,
  listInvitations,
  listMembers,
  removeAdministrator,
  removeMember as removeUnitMember,
  revokeAdministratorInvitation,
  revokeInvitation,
  setMemberRole,
} from './members.ts';
import { updateOrder } from './orders.ts';
import {
  connectPaymentAccount,
  disconnectPaymentAccount,
  getPaymentAccount,
  reencryptPaymentAccounts,
  setPaymentAccountFee,
  setPaymentAccountKey,
} from './payment-accounts.ts';
import { bindPerk, createPerk, listPerks, unbindPerk } from './perks.ts';
import { findCheckins, findOrders, findRegistrations, showPerson } from './persons.ts';
import {
  createSession,
  createSpeaker,
  createVenue,
  deleteSession,
  deleteSpeaker,
  deleteVenue,
  updateSession,
  updateSpeaker,
  updateVenue,
} from './program.ts';
import { resyncProjections } from './projections.ts';
import { listReconciliations, runReconciliation } from './reconciliation.ts';
import { getRefundPolicy, setRefundPolicy } from './refund-policies.ts';
import {
  getRefundDelay,
  listRefunds,
  reconcileCommerce,
  refundOrder,
  setRefundDelay,
  summarizeRefunds,
  withdrawFailedRefunds,
} from './refunds.ts';
import { countRegistrationsPerDay } from './registration-days.ts';
import { countRegistrations, listSortedRegistrations } from './registration-list.ts';
import {
  bindCodePerk,
  grantPerk,
  listCodePerks,
  revokePerk,
  unbindCodePerk,
} from './registration-perks.ts';
import { confirmRegistration } from './registrations.ts';
import { compareRestored, completeRestore } from './restore.ts';
import { summarizeSales } from './sales.ts';
import { searchOrders, searchRegistrations } from './search.ts';
import { archiveTaxRate, createTaxRate, listTaxRates } from './tax-rates.ts';
import { showUnitUsage } from './unit-usage.ts';
import { createUnit, getUnit, listUnits } from './units.ts';
import { reencryptWebhookSecrets } from './webhooks.ts';

/**
 * Every operator command, in the order that `admin help` lists them. Its name is its `operationId`;
 * commands of one name have different owners, and an input fits the schema of one of them at most.
 */
export const operatorOperations: readonly Operation[] = [
  createUnit,
  getUnit,
  listUnits,
  showUnitUsage,
  listMembers,
  inviteMember,
  setMemberRole,
  removeUnitMember,
  listInvitations,
  revokeInvitation,
  inviteOperator,
  listAdministrators,
  removeAdministrator,
  revokeAdministratorInvitation,
  createKey,
  listKeys,
  updateKey,
  revokeKey,
  pairDevice,
  listDevices,
  listDeviceActivity,
  revokeDevice,
  listEvents,
  setEventFeatures,
  previewEventCancel,
  cancelEvent,
  getEventCancellation,
  setEventLimits,
  getEventLimits,
  setDoorRules,
  getDoorRules,
  setForm,
  getForm,
  setRefundPolicy,
  getRefundPolicy,
  createTaxRate,
  listTaxRates,
  archiveTaxRate,
  createPerk,
  listPerks,
  listCodePerks,
  bindPerk,
  bindCodePerk,
  unbindPerk,
  unbindCodePerk,
  grantPerk,
  revokePerk,
  listCodeBatches,
  listCodesOfBatch,
  disableCodeBatch,
  updateCode,
  confirmRegistration,
  updateOrder,
  refundOrder,
  listRefunds,
  summarizeRefunds,
  withdrawFailedRefunds,
  setRefundDelay,
  getRefundDelay,
  getPaymentAccount,
  setPaymentAccountKey,
  connectPaymentAccount,
  disconnectPaymentAccount,
  reconcileCommerce,
  searchRegistrations,
  searchOrders,
  findRegistrations,
  findOrders,
  findCheckins,
  explainCheckin,
  listConflicts,
  countCheckinsPerMinute,
  findChanges,
  countRegistrationsPerDay,
  listSortedRegistrations,
  countRegistrations,
  summarizeSales,
  readTrialBalance,
  exportLedger,
  listLedgerDigests,
  listReconciliations,
  runReconciliation,
  createVenue,
  updateVenue,
  deleteVenue,
  createSession,
  updateSession,
  deleteSession,
  createSpeaker,
  updateSpeaker,
  deleteSpeaker,
  createExhibitor,
  updateExhibitor,
  confirmExhibitor,
  declineExhibitor,
  addMember,
  removeMember,
  allocateBooth,
  releaseBooth,
  ...projectingServices.map((service) => resyncProjections(service)),
  ...publisherNames.map((service) => completeRestore(service)),
  compareRestored,
  reencryptWebhookSecrets,
  setPaymentAccountFee,
  reencryptPaymentAccounts,
  ...schemas.map((owner) => listAudit(owner)),
];

/** Commands that the admin tool composes of operator operations. No service implements them. */
export const composedOperations: readonly Operation[] = [showPerson];
