@"offer.7.0.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 2, i16 0, i16 0, i16 7, i16 2, i16 1, i16 0, i16 0, i16 0, i16 2, i8 0, i8 1, i8 0, i8 0, i8 0, i8 3, i8 0, i8 1, i8 1, i8 0, ptr @"accept.init.0.0.0", ptr @"complete.init.0.0.0" }

@"offer.9.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 1, i16 0, i16 0, i16 9, i16 6, i16 2, i16 0, i16 0, i16 0, i16 0, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 1, i8 0, ptr null, ptr @"complete.Program.Other.1.1.0" }

@"offer.7.1.0" = internal unnamed_addr constant %lf_offer { i16 0, i16 10, i16 2, i16 0, i16 0, i16 7, i16 3, i16 2, i16 0, i16 1, i16 0, i16 2, i8 0, i8 1, i8 0, i8 0, i8 1, i8 3, i8 1, i8 0, i8 0, i8 0, ptr null, ptr null }

@"offer.8.0.1" = internal unnamed_addr constant %lf_offer { i16 1, i16 12, i16 1, i16 0, i16 0, i16 8, i16 5, i16 1, i16 0, i16 0, i16 0, i16 1, i8 1, i8 1, i8 0, i8 0, i8 -1, i8 3, i8 0, i8 0, i8 0, i8 0, ptr null, ptr null }

@lf_pool = internal constant [1 x i8] c"\00", align 4

define internal zeroext i1 @"accept.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %a6 = alloca [4 x i8], align 4
  %t3 = getelementptr i8, ptr %b, i32 4
  %t4 = load i8, ptr %values, align 1
  %t5 = sext i8 %t4 to i32
  call void @llvm.memmove.p0.p0.i32(ptr %a6, ptr %t3, i32 4, i1 false)
  store i32 %t5, ptr %t3, align 4
  %t10 = getelementptr i8, ptr %b, i32 4
  %t11 = load i32, ptr %t10, align 4
  %t12 = icmp sgt i32 %t11, 0
  br label %good.8
good.8:
  br label %tried.9
faulty.7:
  br label %tried.9
tried.9:
  %t13 = phi i1 [ %t12, %good.8 ], [ true, %faulty.7 ]
  call void @llvm.memmove.p0.p0.i32(ptr %t3, ptr %a6, i32 4, i1 false)
  br i1 %t13, label %yes.1, label %no.2
yes.1:
  ret i1 true
no.2:
  ret i1 false
}

define internal void @"complete.init.0.0.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %t1 = getelementptr i8, ptr %b, i32 4
  %t2 = load i8, ptr %values, align 1
  %t3 = sext i8 %t2 to i32
  store i32 %t3, ptr %t1, align 4
  %t4 = getelementptr i8, ptr %b, i32 4
  %t5 = load i32, ptr %t4, align 4
  %t6 = icmp sgt i32 %t5, 0
  ret void
}

define internal void @"complete.Program.Other.1.1.0"(ptr %b, ptr %frame, ptr %values) nounwind {
entry:
  %t1 = getelementptr i8, ptr %b, i32 4
  %t2 = load i8, ptr %values, align 1
  %t3 = sext i8 %t2 to i32
  store i32 %t3, ptr %t1, align 4
  ret void
}

define internal i16 @"run.init.0"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a30 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 1, label %b0 i16 2, label %b2 i16 3, label %b3 ]
nowhere:
  unreachable
b0:
  %t1 = getelementptr i8, ptr %b, i32 8
  store i8 1, ptr %t1, align 1
  %t2 = getelementptr i8, ptr %b, i32 9
  store i8 2, ptr %t2, align 1
  %t3 = call zeroext i8 @lf_free_slot(ptr %b, i16 zeroext 1, i8 zeroext 1, i8 zeroext 0, i16 zeroext 0)
  %t4 = zext i8 %t3 to i16
  %t5 = mul i16 %t4, 1
  %t6 = getelementptr i8, ptr %b, i32 12
  %t7 = zext i16 %t5 to i32
  %t8 = getelementptr i8, ptr %t6, i32 %t7
  call void @lf_set_position(ptr %b, i16 zeroext 1, i8 zeroext %t3, i8 zeroext 0, i16 zeroext 4)
  %t9 = add i8 %t3, 1
  call void @lf_policy_created(ptr %b, i8 zeroext %t9, i32 -1)
  %t10 = getelementptr i8, ptr %b, i32 8
  %t11 = load i8, ptr %t10, align 1
  %t12 = icmp ne i8 %t11, 0
  br i1 %t12, label %ok.13, label %bad.14, !prof !0
bad.14:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 1, i32 0, i32 0) #1
  unreachable
ok.13:
  %t15 = getelementptr i8, ptr %b, i32 9
  %t16 = load i8, ptr %t15, align 1
  %t17 = icmp ne i8 %t16, 0
  br i1 %t17, label %ok.18, label %bad.19, !prof !0
bad.19:
  call void @lf_fault(ptr %b, i8 zeroext 7, i16 zeroext 2, i32 0, i32 0) #1
  unreachable
ok.18:
  %t20 = getelementptr i8, ptr %b, i32 4
  %t21 = load i32, ptr %t20, align 4
  %t22 = icmp eq i32 %t21, 1
  %t23 = xor i1 %t22, true
  br i1 %t22, label %open.24, label %prepared.25
open.24:
  %t26 = getelementptr i8, ptr %frame, i32 1
  store i8 2, ptr %t26, align 1
  br label %prepared.25
prepared.25:
  %t27 = zext i1 %t23 to i8
  %t28 = shl i8 %t27, 1
  %t29 = or i8 0, %t28
  store i8 %t29, ptr %frame, align 1
  call void @lf_meeting_begin(ptr %a30)
  call void @lf_seek_senders(ptr %b, ptr %a30, i8 zeroext 0, i8 zeroext %t11, ptr %frame, i8 zeroext 1, ptr @"accept.init.0.0.0", ptr @"offer.8.0.1")
  br i1 %t23, label %sought.32, label %seek.31
seek.31:
  %t33 = getelementptr i8, ptr %frame, i32 1
  call void @lf_seek_receivers(ptr %b, ptr %a30, i8 zeroext 1, i8 zeroext %t16, ptr %t33, ptr @"offer.9.0.1")
  br label %sought.32
sought.32:
  %t34 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a30)
  br i1 %t34, label %met.35, label %alone.36
met.35:
  %t39 = getelementptr i8, ptr %a30, i32 2
  %t40 = load i8, ptr %t39, align 1
  switch i8 %t40, label %take.37 [ i8 1, label %take.38 ]
take.37:
  %t42 = call zeroext i1 @lf_fetch(ptr %b, ptr %a30, ptr %frame, i8 zeroext 1, ptr @"complete.init.0.0.0", ptr @"offer.8.0.1")
  br label %moved.41
moved.41:
  call void @lf_clear(ptr %frame, i16 zeroext 2)
  %t43 = zext i8 %slot to i16
  %t44 = zext i16 %t43 to i32
  %t45 = getelementptr i8, ptr %b, i32 %t44
  store i8 2, ptr %t45, align 1
  ret i16 -32768
take.38:
  %t47 = getelementptr i8, ptr %frame, i32 1
  %t48 = call zeroext i1 @lf_deliver(ptr %b, ptr %a30, ptr %t47, ptr @"offer.9.0.1")
  br label %moved.46
moved.46:
  call void @lf_clear(ptr %frame, i16 zeroext 2)
  %t49 = zext i8 %slot to i16
  %t50 = zext i16 %t49 to i32
  %t51 = getelementptr i8, ptr %b, i32 %t50
  store i8 3, ptr %t51, align 1
  ret i16 -32768
alone.36:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t52 = zext i8 %slot to i16
  %t53 = zext i16 %t52 to i32
  %t54 = getelementptr i8, ptr %b, i32 %t53
  store i8 7, ptr %t54, align 1
  ret i16 -32768
b1:
  %t55 = sub i8 %slot, 0
  call void @lf_end(ptr %b, i16 zeroext 0, i8 zeroext %t55, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 2)
  ret i16 -32768
b2:
  %t56 = getelementptr i8, ptr %b, i32 4
  store i32 1, ptr %t56, align 4
  br label %b1
b3:
  %t57 = getelementptr i8, ptr %b, i32 4
  store i32 2, ptr %t57, align 4
  br label %b1
}

define internal i16 @"run.Program.Other.1"(ptr %b, i8 zeroext %slot, ptr %record, ptr %frame, i16 zeroext %position) nounwind {
entry:
  %a1 = alloca %lf_meeting, align 2
  %a14 = alloca %lf_meeting, align 2
  switch i16 %position, label %nowhere [ i16 4, label %b0 i16 5, label %b1 i16 6, label %b2 ]
nowhere:
  unreachable
b0:
  store i8 1, ptr %frame, align 1
  call void @lf_meeting_begin(ptr %a1)
  call void @lf_seek_receivers(ptr %b, ptr %a1, i8 zeroext -1, i8 zeroext 1, ptr %frame, ptr @"offer.7.0.0")
  %t2 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a1)
  br i1 %t2, label %met.3, label %alone.4
met.3:
  br label %take.5
take.5:
  %t7 = call zeroext i1 @lf_deliver(ptr %b, ptr %a1, ptr %frame, ptr @"offer.7.0.0")
  br label %moved.6
moved.6:
  call void @lf_clear(ptr %frame, i16 zeroext 1)
  %t8 = zext i8 %slot to i16
  %t9 = zext i16 %t8 to i32
  %t10 = getelementptr i8, ptr %b, i32 %t9
  store i8 5, ptr %t10, align 1
  ret i16 -32768
alone.4:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t11 = zext i8 %slot to i16
  %t12 = zext i16 %t11 to i32
  %t13 = getelementptr i8, ptr %b, i32 %t12
  store i8 8, ptr %t13, align 1
  ret i16 -32768
b1:
  call void @lf_meeting_begin(ptr %a14)
  call void @lf_seek_senders(ptr %b, ptr %a14, i8 zeroext -1, i8 zeroext 2, ptr %frame, i8 zeroext 0, ptr null, ptr @"offer.7.1.0")
  %t15 = call zeroext i1 @lf_policy_meet(ptr %b, ptr %a14)
  br i1 %t15, label %met.16, label %alone.17
met.16:
  br label %take.18
take.18:
  %t20 = call zeroext i1 @lf_fetch(ptr %b, ptr %a14, ptr %frame, i8 zeroext 1, ptr @"complete.Program.Other.1.1.0", ptr @"offer.7.1.0")
  br label %moved.19
moved.19:
  %t21 = zext i8 %slot to i16
  %t22 = zext i16 %t21 to i32
  %t23 = getelementptr i8, ptr %b, i32 %t22
  store i8 6, ptr %t23, align 1
  ret i16 -32768
alone.17:
  call void @lf_policy_waits(ptr %b, i8 zeroext %slot, i8 zeroext 0)
  %t24 = zext i8 %slot to i16
  %t25 = zext i16 %t24 to i32
  %t26 = getelementptr i8, ptr %b, i32 %t25
  store i8 9, ptr %t26, align 1
  ret i16 -32768
b2:
  %t27 = sub i8 %slot, 1
  call void @lf_end(ptr %b, i16 zeroext 1, i8 zeroext %t27, i8 zeroext 0, i8 zeroext %slot, ptr %record, i16 zeroext 1)
  ret i16 -32768
}
