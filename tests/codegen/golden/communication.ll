@"offer.5.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 9, i16 0, i16 0, i16 0, i16 5, i16 2, i16 1, i16 0, i16 0, i16 0, i16 0, i8 0, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.init.0.0.0" }

@"offer.6.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 8, i16 0, i16 0, i16 6, i16 4, i16 4, i16 0, i16 0, i16 0, i16 4, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 1, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %t1 = getelementptr i8, ptr %b, i32 4
  %t2 = load i32, ptr %values, align 4
  store i32 %t2, ptr %t1, align 4
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a17 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b0 i16 2, label %b1 ]
nowhere:
  unreachable
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  store i8 1, ptr %t1, align 1
  %t2 = getelementptr i8, ptr %b, i32 8
  %t3 = load i8, ptr %t2, align 1
  %t4 = call zeroext i8 @lf_free_slot(ptr %b, i16 zeroext 1, i8 zeroext 1, i8 zeroext 0, i16 zeroext 0)
  %t5 = zext i8 %t4 to i16
  %t6 = mul i16 %t5, 8
  %t7 = getelementptr i8, ptr %b, i32 12
  %t8 = zext i16 %t6 to i32
  %t9 = getelementptr i8, ptr %t7, i32 %t8
  %t10 = getelementptr i8, ptr %t9, i32 4
  store i8 %t3, ptr %t10, align 1
  call void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext %t4, i8 zeroext 0, i16 zeroext 3)
  %t11 = add i8 %t4, 1
  call void @lf_policy_created(ptr %b, i8 zeroext %t11, i32 -1)
  %t12 = getelementptr i8, ptr %b, i32 8
  %t13 = load i8, ptr %t12, align 1
  %t14 = icmp ne i8 %t13, 0
  br i1 %t14, label %ok.15, label %bad.16, !prof !0
bad.16:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.15:
  call void @lf_meeting_begin(ptr %a17)
  call void @lf_seek_senders(ptr %b, ptr %a17, i8 zeroext -1, i8 zeroext %t13, ptr %frame, i8 zeroext 0, ptr null, ptr @"offer.6.0.1")
  %t18 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a17)
  br i1 %t18, label %met.19, label %alone.20
met.19:
  br label %take.21
take.21:
  %t23 = call zeroext i1 @lf_fetch(ptr %b, ptr %a17, ptr %frame, i8 zeroext 1, ptr @"complete.init.0.0.0", ptr @"offer.6.0.1")
  br label %moved.22
moved.22:
  %t24 = zext i8 %slot to i16
  %t25 = zext i16 %t24 to i32
  %t26 = getelementptr i8, ptr %b, i32 %t25
  store i8 2, ptr %t26, align 1
  ret i16 -32768
alone.20:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t27 = zext i8 %slot to i16
  %t28 = zext i16 %t27 to i32
  %t29 = getelementptr i8, ptr %b, i32 %t28
  store i8 5, ptr %t29, align 1
  ret i16 -32768
b1:
  %t30 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t30, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 0)
  ret i16 -32768
}

define internal i16 @"run.Program.Sender.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a6 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 3, label %b0 i16 4, label %b1 ]
nowhere:
  unreachable
b0:
  %t1 = getelementptr i8, ptr %frame, i32 4
  %t2 = load i8, ptr %t1, align 1
  %t3 = icmp ne i8 %t2, 0
  br i1 %t3, label %ok.4, label %bad.5, !prof !0
bad.5:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.4:
  store i32 5, ptr %frame, align 4
  call void @lf_meeting_begin(ptr %a6)
  call void @lf_seek_receivers(ptr %b, ptr %a6, i8 zeroext -1, i8 zeroext %t2, ptr %frame, ptr @"offer.5.0.0")
  %t7 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a6)
  br i1 %t7, label %met.8, label %alone.9
met.8:
  br label %take.10
take.10:
  %t12 = call zeroext i1 @lf_deliver(ptr %b, ptr %a6, ptr %frame, ptr @"offer.5.0.0")
  br label %moved.11
moved.11:
  call void @lf_clear(ptr %frame, i16 zeroext 4)
  %t13 = zext i8 %slot to i16
  %t14 = zext i16 %t13 to i32
  %t15 = getelementptr i8, ptr %b, i32 %t14
  store i8 4, ptr %t15, align 1
  ret i16 -32768
alone.9:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t16 = zext i8 %slot to i16
  %t17 = zext i16 %t16 to i32
  %t18 = getelementptr i8, ptr %b, i32 %t17
  store i8 6, ptr %t18, align 1
  ret i16 -32768
b1:
  %t19 = sub i8 %slot, 1
  call void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %t19, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 8)
  ret i16 -32768
}
