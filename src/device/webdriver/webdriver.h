/*
 * Devices that a WebDriver server lends: phones by Appium, browsers by
 * chromedriver or geckodriver, all of them by a Selenium Grid or a farm. Each
 * configured endpoint is one device, a Grid without capabilities one for each
 * kind of slot.
 */
#ifndef SQ_DEVICE_WEBDRIVER_WEBDRIVER_H
#define SQ_DEVICE_WEBDRIVER_WEBDRIVER_H

#include "device/kinds.h"

/* The row of the kind "webdriver". */
extern const struct sq_hand_ops sq_webdriver_hand;
sq_list_devices_fn sq_webdriver_list;
sq_open_device_fn sq_webdriver_open;

/*
 * Waits up to ten seconds for sessions that start although their calls have
 * ended, and ends them.
 */
void sq_webdriver_finish(void);

#endif
